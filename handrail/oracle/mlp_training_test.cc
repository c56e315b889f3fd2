// How the network oracle trains: each way against the same steps redone by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "handrail/base/random.h"
#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/mlp.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kArms;
using mlp_fixture::kBlocks;
using mlp_fixture::kRows;
using mlp_fixture::learn;
using mlp_fixture::papers;
using mlp_fixture::plain;
using mlp_fixture::predictions;
using mlp_fixture::RoundFeatures;
using mlp_fixture::saved;

TEST(MlpTraining, AStepWithoutCopiesMovesNoUntouchedBlock) {
  MlpConfig config{.widths = {6},
                   .own_layer = OwnLayer::kFirst,
                   .skip = false,
                   .optimizer = Optimizer::kSgd,
                   .learning_rate = 0.01,
                   .precision = Precision::kDouble};
  const Network network(network_shape(config), kBlocks);
  const auto oracle = make_mlp(config, kBlocks);
  const std::vector<double> row = {1.0, 2.0, 3.0};
  for (int i = 0; i < 5; ++i) oracle->update({.features = row, .block = 2}, 1.0);
  const std::string bytes = saved(*oracle);
  ByteReader in(bytes);
  static_cast<void>(in.u64());
  const std::vector<double> initial = network.initial_parameters(config.seed);
  for (std::size_t block = 0; block < kArms; ++block) {
    const std::vector<double> now = in.doubles();
    const auto start = part(std::span(initial), network.segments()[block]);
    EXPECT_EQ(std::ranges::equal(now, start), block != 2) << "block " << block;
  }
}

TEST(MlpTraining, PeriodicTrainingWaitsForThePeriod) {
  const auto oracle = make_mlp(plain(Update::kPeriodic), kBlocks);
  const RoundFeatures probe(kBlocks, 1000);
  const std::vector<double> before = predictions(*oracle, probe.features());
  learn(*oracle, kBlocks, 0, 9);
  EXPECT_EQ(predictions(*oracle, probe.features()), before);
  learn(*oracle, kBlocks, 9, 10);
  const std::vector<double> after = predictions(*oracle, probe.features());
  EXPECT_NE(after, before);
  learn(*oracle, kBlocks, 10, 19);
  EXPECT_EQ(predictions(*oracle, probe.features()), after);
}

TEST(MlpTraining, PeriodicStepsAreOnlineStepsInOrder) {
  const auto periodic = make_mlp(plain(Update::kPeriodic), kBlocks);
  const auto online = make_mlp(plain(Update::kOnline), kBlocks);
  learn(*periodic, kBlocks, 0, 30);
  learn(*online, kBlocks, 0, 30);
  const RoundFeatures probe(kBlocks, 1000);
  EXPECT_EQ(predictions(*periodic, probe.features()), predictions(*online, probe.features()));
}

TEST(MlpTraining, PeriodicNewestIsAnOnlineStepOnTheNewest) {
  MlpConfig config = plain(Update::kPeriodic);
  config.reading = PeriodicReading::kNewest;
  const auto periodic = make_mlp(config, kBlocks);
  const auto online = make_mlp(plain(Update::kOnline), kBlocks);
  learn(*periodic, kBlocks, 0, 20);
  learn(*online, kBlocks, 9, 10);
  learn(*online, kBlocks, 19, 20);
  const RoundFeatures probe(kBlocks, 1000);
  EXPECT_EQ(predictions(*periodic, probe.features()), predictions(*online, probe.features()));
}

// The examples from one to before another.
std::vector<std::uint64_t> from_to(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> examples(to - from);
  std::iota(examples.begin(), examples.end(), from);
  return examples;
}

// One step on the mean gradient of these examples, by hand.
void mean_step(const Network& network, double rate, const std::vector<std::uint64_t>& examples,
               std::vector<double>& parameters) {
  std::vector<double> gradient(parameters.size(), 0.0);
  std::vector<double> trace(network.trace_size());
  for (const std::uint64_t i : examples) {
    const RoundFeatures round(kBlocks, i);
    const double output = network.forward(parameters, round.arm(), trace);
    const ArmView arm = round.arm();
    network.backward(parameters, {&arm, 1}, trace);
    const double slope = 2.0 * (output - round.cost) / static_cast<double>(examples.size());
    network.add_gradient({&slope, 1}, {&arm, 1}, trace, gradient);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] -= rate * gradient[i];
}

void expect_predictions(const Oracle& oracle, const Network& network,
                        const std::vector<double>& parameters) {
  std::vector<double> trace(network.trace_size());
  for (std::uint64_t i = 1000; i < 1010; ++i) {
    const RoundFeatures probe(kBlocks, i);
    const std::vector<double> costs = predictions(oracle, probe.features());
    for (ArmIndex arm = 0; arm < kArms; ++arm) {
      const double output = network.forward(parameters, probe.features().arm(arm), trace);
      EXPECT_NEAR(costs[arm], std::clamp(output, 0.0, 1.0), 1e-12);
    }
  }
}

TEST(MlpTraining, PeriodicMeanIsOneStepOnTheMeanGradient) {
  MlpConfig config = plain(Update::kPeriodic);
  config.reading = PeriodicReading::kMean;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  learn(*oracle, kBlocks, 0, 20);
  mean_step(network, config.learning_rate, from_to(0, 10), parameters);
  mean_step(network, config.learning_rate, from_to(10, 20), parameters);
  expect_predictions(*oracle, network, parameters);
}

TEST(MlpTraining, ReplayUsesAllItHoldsUntilThatIsABatch) {
  MlpConfig config = plain(Update::kReplay);
  config.batch = 6;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  for (std::uint64_t i = 1; i < 6; ++i) {
    learn(*oracle, kBlocks, i - 1, i);
    mean_step(network, config.learning_rate, from_to(0, i), parameters);
  }
  expect_predictions(*oracle, network, parameters);
}

TEST(MlpTraining, ReplayDrawsFromItsStream) {
  MlpConfig config = plain(Update::kReplay);
  config.batch = 1;
  config.batches = 3;
  config.buffer_limit = 4;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  std::vector<std::uint64_t> ring;
  for (std::uint64_t i = 0; i < 11; ++i) {
    learn(*oracle, kBlocks, i, i + 1);
    if (ring.size() < 4) ring.push_back(i);
    ring[i % 4] = i;
    RandomStream stream(config.seed, Purpose::kReplay, i + 1);
    for (int batch = 0; batch < 3; ++batch) {
      const std::uint64_t drawn = ring[stream.below(ring.size())];
      mean_step(network, config.learning_rate, {drawn}, parameters);
    }
  }
  expect_predictions(*oracle, network, parameters);
}

TEST(MlpTraining, ReplayBeginsWithTheNewest) {
  MlpConfig config = plain(Update::kReplay);
  config.batch = 5;
  config.newest_share = 0.4;
  config.buffer_limit = 7;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  std::vector<std::uint64_t> ring;
  for (std::uint64_t i = 0; i < 20; ++i) {
    learn(*oracle, kBlocks, i, i + 1);
    if (ring.size() < 7) ring.push_back(i);
    ring[i % 7] = i;
    std::vector<std::uint64_t> batch = ring;
    if (ring.size() >= 5) {
      RandomStream stream(config.seed, Purpose::kReplay, i + 1);
      batch = {i, i - 1};
      while (batch.size() < 5) batch.push_back(ring[stream.below(ring.size())]);
    }
    mean_step(network, config.learning_rate, batch, parameters);
  }
  expect_predictions(*oracle, network, parameters);
}

// With the step divided by |∇f|², one online step on square loss moves f by 2 · rate · error, up to
// the curvature; without, by next to nothing.
TEST(MlpTraining, ScaledStepsMoveTheOutputByTheRateUnderNtk) {
  MlpConfig config = plain(Update::kOnline);
  config.widths = {200};
  config.parametrisation = Parametrisation::kNtk;
  config.learning_rate = 0.01;
  const RoundFeatures round(kRows, 3);
  const auto moved = [&](StepScaling scaling, double cost) {
    config.step_scaling = scaling;
    const auto oracle = make_mlp(config, kRows);
    const double before = predictions(*oracle, round.features())[round.played];
    oracle->update(round.arm(), cost);
    const double after = predictions(*oracle, round.features())[round.played];
    return (after - before) / (cost - before);
  };
  EXPECT_NEAR(moved(StepScaling::kAuto, 1.0), 0.02, 0.002);
  EXPECT_LT(std::abs(moved(StepScaling::kOff, 1.0)), 0.002);
}

// |Δ_l| of each layer, from the saved bytes.
std::vector<double> layer_distances(const Oracle& oracle, const MlpConfig& config) {
  const Network network(network_shape(config), kBlocks);
  const std::vector<double> initial = network.initial_parameters(config.seed);
  const std::string bytes = saved(oracle);
  ByteReader in(bytes);
  static_cast<void>(in.u64());
  std::vector<double> squared(network.layer_count(), 0.0);
  for (const Segment& segment : network.segments()) {
    const std::vector<double> now = in.doubles();
    for (std::size_t i = 0; i < segment.size; ++i) {
      squared[segment.layer] += std::pow(now[i] - initial[segment.offset + i], 2);
    }
  }
  for (double& value : squared) value = std::sqrt(value);
  return squared;
}

TEST(MlpTraining, ClipsTheNormOfTheGradient) {
  MlpConfig config = plain(Update::kOnline);
  config.clip = 1e-3;
  config.learning_rate = 1.0;
  const auto oracle = make_mlp(config, kBlocks);
  learn(*oracle, kBlocks, 0, 1);
  double squared = 0.0;
  for (const double distance : layer_distances(*oracle, config)) squared += distance * distance;
  EXPECT_NEAR(std::sqrt(squared), 1e-3, 1e-12);
}

TEST(MlpTraining, StaysWithinItsBalls) {
  for (const Optimizer optimizer : {Optimizer::kSgd, Optimizer::kAdaGrad, Optimizer::kAdam}) {
    for (const std::size_t ensemble : {0u, 3u}) {
      if (ensemble > 0 && optimizer != Optimizer::kSgd) continue;
      MlpConfig config = plain(Update::kOnline);
      config.optimizer = optimizer;
      config.ensemble = ensemble;
      config.rho = 0.2;
      config.rho_1 = 0.1;
      const auto oracle = make_mlp(config, kBlocks);
      learn(*oracle, kBlocks, 0, 100);
      const std::vector<double> distances = layer_distances(*oracle, config);
      EXPECT_LE(distances[0], 0.2 * (1.0 + 1e-9));
      EXPECT_LE(distances[1], 0.2 * (1.0 + 1e-9));
      EXPECT_LE(distances[2], 0.1 * (1.0 + 1e-9));
      EXPECT_GT(distances[2], 0.05);  // and it did want to leave
    }
  }
}

TEST(MlpTraining, PullKeepsItNearItsStart) {
  MlpConfig config = plain(Update::kReplay);
  const auto free = make_mlp(config, kBlocks);
  config.pull = 0.5;
  const auto pulled = make_mlp(config, kBlocks);
  learn(*free, kBlocks, 0, 200);
  learn(*pulled, kBlocks, 0, 200);
  const std::vector<double> far = layer_distances(*free, config);
  const std::vector<double> near = layer_distances(*pulled, config);
  for (std::size_t l = 0; l < far.size(); ++l) EXPECT_LT(near[l], 0.7 * far[l]);
}

// One online step from a known point: the pull's part of the gradient is 2 · pull · Δ.
TEST(MlpTraining, PullAddsItsGradientWhereTheStepGoes) {
  MlpConfig config = plain(Update::kOnline);
  config.pull = 0.5;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  const std::vector<double> initial = network.initial_parameters(config.seed);
  std::vector<double> parameters = initial;
  for (std::uint64_t i = 0; i < 30; ++i) {
    std::vector<double> displacement = parameters;
    for (std::size_t j = 0; j < initial.size(); ++j) displacement[j] -= initial[j];
    mean_step(network, config.learning_rate, {i}, parameters);
    for (std::size_t s = 0; s < network.segments().size(); ++s) {
      if (s < kArms && s != RoundFeatures(kBlocks, i).arm().block) continue;
      const Segment& segment = network.segments()[s];
      for (std::size_t j = segment.offset; j < segment.offset + segment.size; ++j) {
        parameters[j] -= config.learning_rate * 2.0 * config.pull * displacement[j];
      }
    }
  }
  learn(*oracle, kBlocks, 0, 30);
  expect_predictions(*oracle, network, parameters);
}

// The paper's network, one scaled step an example, with the copies' arithmetic done outside.
TEST(MlpTraining, CopiesTrainAndPredictAsTheEnsembleDoes) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    MlpConfig config = papers(loss);
    config.update = Update::kOnline;
    config.learning_rate = 0.1;
    const auto oracle = make_mlp(config, kBlocks);
    const Network network(network_shape(config), kBlocks);
    const double kappa = config.perturbation * std::pow(8.0, -0.25);
    Ensemble ensemble(SignTable::draw(config.seed, 6, network.parameter_count()), kappa,
                      network.segments());
    NetworkWeights parameters{network.initial_parameters(config.seed),
                              network.initial_parameters(config.seed)};
    BatchGradient gradient(network, 6);
    std::vector<double> trace(network.trace_size());
    const std::vector<double> radii = {config.rho, config.rho_1};
    for (std::uint64_t i = 0; i < 40; ++i) {
      const RoundFeatures round(kBlocks, i);
      const double output = network.forward(parameters.values, round.arm(), trace);
      EXPECT_NEAR(predictions(*oracle, round.features())[round.played],
                  predicted_cost(loss, output, ensemble.shifts()), 1e-12);
      gradient.begin();
      const double slope = add_slopes(loss, {.output = output, .cost = round.cost},
                                      ensemble.shifts(), gradient.slopes);
      const ArmView arm = round.arm();
      network.backward(parameters.values, {&arm, 1}, trace);
      gradient.add({&slope, 1}, {&arm, 1}, trace);
      static_cast<void>(ensemble.measure(gradient.view(), parameters));
      const double squared = network.squared_gradient(round.arm(), trace);
      if (squared > 0.0) ensemble.step(0.1 / squared, gradient.view(), parameters);
      ensemble.project(radii, parameters);
      oracle->update(round.arm(), round.cost);
    }
    EXPECT_GT(std::abs(ensemble.shifts()[0]), 1e-3);  // or the copies were never told apart
  }
}

}  // namespace
}  // namespace handrail
