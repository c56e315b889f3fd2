#include "handrail/oracle/mlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "handrail/base/random.h"
#include "handrail/oracle/replay_buffer.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kFeatures = 3;
constexpr std::size_t kArms = 4;
constexpr FeatureLayout kRows{FeatureShape::kRows, kFeatures, 1};
constexpr FeatureLayout kBlocks{FeatureShape::kBlock, kFeatures, kArms};

// Plain descent with nothing added, so that a test can redo a step by hand.
MlpConfig plain(Update update) {
  return {.widths = {6, 5},
          .activation = Activation::kTanh,
          .update = update,
          .optimizer = Optimizer::kSgd,
          .learning_rate = 0.1,
          .clip = kInfinity,
          .pull = 0.0,
          .seed = 5};
}

MlpConfig papers(Loss loss) {
  return {.widths = {8},
          .parametrisation = Parametrisation::kNtk,
          .loss = loss,
          .update = Update::kPeriodic,
          .optimizer = Optimizer::kSgd,
          .learning_rate = 0.01,
          .clip = kInfinity,
          .pull = 0.0,
          .rho = 2.0,
          .rho_1 = 1.0,
          .ensemble = 6,
          .seed = 5};
}

// Every way of training once, for the promises that hold for all of them.
std::vector<MlpConfig> every_kind() {
  MlpConfig adam{.widths = {7},
                 .loss = Loss::kLog,
                 .buffer_limit = 20,
                 .batch = 6,
                 .batches = 2,
                 .optimizer = Optimizer::kAdam,
                 .learning_rate = 0.01,
                 .rho = 0.3,
                 .seed = 5};
  MlpConfig replay{.widths = {7, 4}, .buffer_limit = 20, .batch = 6, .seed = 5};
  MlpConfig copies = plain(Update::kReplay);
  copies.ensemble = 3;
  copies.buffer_limit = 20;
  copies.batch = 6;
  copies.rho_1 = 0.2;
  return {replay, adam, copies, plain(Update::kOnline), papers(Loss::kSquare), papers(Loss::kLog)};
}

struct RoundFeatures {
  RoundFeatures(const FeatureLayout& layout, std::uint64_t number) : shape(layout.shape) {
    RandomStream stream(17, Purpose::kTest, number);
    values.resize(shape == FeatureShape::kRows ? kFeatures * kArms : kFeatures);
    for (double& value : values) value = stream.normal();
    played = static_cast<ArmIndex>(stream.below(kArms));
    cost = stream.uniform();
  }

  ArmFeatures features() const {
    if (shape == FeatureShape::kRows) return ArmFeatures::rows(values, kFeatures);
    return ArmFeatures::block(values, kArms);
  }
  ArmView arm() const { return features().arm(played); }

  FeatureShape shape;
  std::vector<double> values;
  ArmIndex played = 0;
  double cost = 0.0;
};

std::vector<double> predictions(const Oracle& oracle, const ArmFeatures& features) {
  std::vector<double> costs(features.arm_count());
  Scratch scratch;
  oracle.predict(features, costs, scratch);
  return costs;
}

void learn(Oracle& oracle, const FeatureLayout& layout, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) {
    const RoundFeatures round(layout, i);
    oracle.update(round.arm(), round.cost);
  }
}

std::string saved(const Oracle& oracle) {
  ByteWriter out;
  oracle.save(out);
  return std::string(out.bytes());
}

TEST(Mlp, PredictsInRangeWhateverItLearned) {
  for (const FeatureLayout& layout : {kRows, kBlocks}) {
    for (const MlpConfig& config : every_kind()) {
      const auto oracle = make_mlp(config, layout);
      const double edge = config.loss == Loss::kLog ? kLogLossEdge : 0.0;
      for (std::uint64_t i = 0; i < 60; ++i) {
        const RoundFeatures round(layout, i);
        for (const double cost : predictions(*oracle, round.features())) {
          ASSERT_GE(cost, edge);
          ASSERT_LE(cost, 1.0 - edge);
        }
        oracle->update(round.arm(), i % 2 == 0 ? 0.0 : 1.0);
      }
      EXPECT_FALSE(oracle->regret_bound().has_value());
    }
  }
}

TEST(Mlp, IsAFunctionOfItsSeedAndWhatItLearned) {
  for (MlpConfig config : every_kind()) {
    const auto one = make_mlp(config, kBlocks);
    const auto same = make_mlp(config, kBlocks);
    config.seed = 6;
    const auto other = make_mlp(config, kBlocks);
    learn(*one, kBlocks, 0, 45);
    learn(*same, kBlocks, 0, 45);
    learn(*other, kBlocks, 0, 45);
    EXPECT_EQ(saved(*one), saved(*same));
    EXPECT_NE(saved(*one), saved(*other));
  }
}

TEST(Mlp, PredictsEachArmByItself) {
  const auto oracle = make_mlp({.widths = {9}}, kRows);
  learn(*oracle, kRows, 0, 30);
  const RoundFeatures round(kRows, 77);
  const std::vector<double> costs = predictions(*oracle, round.features());
  std::vector<double> turned = round.values;
  std::ranges::rotate(turned, turned.begin() + kFeatures);
  std::vector<double> turned_costs = predictions(*oracle, ArmFeatures::rows(turned, kFeatures));
  std::ranges::rotate(turned_costs, turned_costs.end() - 1);
  EXPECT_EQ(costs, turned_costs);
}

TEST(Mlp, ASmallStepLowersTheLossOfItsExample) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    int lowered = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      MlpConfig config = plain(Update::kOnline);
      config.loss = loss;
      config.learning_rate = 1e-3;
      config.seed = seed;
      const auto oracle = make_mlp(config, kBlocks);
      const RoundFeatures round(kBlocks, seed);
      const double before = predictions(*oracle, round.features())[round.played];
      if (before == 0.0 || before == 1.0 || std::abs(before - round.cost) < 1e-3) continue;
      oracle->update(round.arm(), round.cost);
      const double after = predictions(*oracle, round.features())[round.played];
      EXPECT_LT(std::abs(after - round.cost), std::abs(before - round.cost));
      ++lowered;
    }
    EXPECT_GT(lowered, 20);
  }
}

TEST(Mlp, AStepWithoutCopiesMovesNoUntouchedBlock) {
  MlpConfig config{.widths = {6}, .optimizer = Optimizer::kSgd, .learning_rate = 0.01};
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

TEST(Mlp, PeriodicTrainingWaitsForThePeriod) {
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

TEST(Mlp, PeriodicStepsAreOnlineStepsInOrder) {
  const auto periodic = make_mlp(plain(Update::kPeriodic), kBlocks);
  const auto online = make_mlp(plain(Update::kOnline), kBlocks);
  learn(*periodic, kBlocks, 0, 30);
  learn(*online, kBlocks, 0, 30);
  const RoundFeatures probe(kBlocks, 1000);
  EXPECT_EQ(predictions(*periodic, probe.features()), predictions(*online, probe.features()));
}

TEST(Mlp, PeriodicNewestIsAnOnlineStepOnTheNewest) {
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

// One step on the mean gradient of the examples `from` to `to`, by hand.
void mean_step(const Network& network, double rate, std::uint64_t from, std::uint64_t to,
               std::vector<double>& parameters) {
  std::vector<double> gradient(parameters.size(), 0.0);
  std::vector<double> trace(network.trace_size());
  for (std::uint64_t i = from; i < to; ++i) {
    const RoundFeatures round(kBlocks, i);
    const double output = network.forward(parameters, round.arm(), trace);
    network.backward(parameters, trace);
    network.add_gradient(2.0 * (output - round.cost) / static_cast<double>(to - from), round.arm(),
                         trace, gradient);
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

TEST(Mlp, PeriodicMeanIsOneStepOnTheMeanGradient) {
  MlpConfig config = plain(Update::kPeriodic);
  config.reading = PeriodicReading::kMean;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  learn(*oracle, kBlocks, 0, 20);
  mean_step(network, config.learning_rate, 0, 10, parameters);
  mean_step(network, config.learning_rate, 10, 20, parameters);
  expect_predictions(*oracle, network, parameters);
}

TEST(Mlp, ReplayUsesAllItHoldsUntilThatIsABatch) {
  MlpConfig config = plain(Update::kReplay);
  config.batch = 6;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  std::vector<double> parameters = network.initial_parameters(config.seed);
  for (std::uint64_t i = 1; i < 6; ++i) {
    learn(*oracle, kBlocks, i - 1, i);
    mean_step(network, config.learning_rate, 0, i, parameters);
  }
  expect_predictions(*oracle, network, parameters);
}

TEST(Mlp, ReplayDrawsFromItsStream) {
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
      mean_step(network, config.learning_rate, drawn, drawn + 1, parameters);
    }
  }
  expect_predictions(*oracle, network, parameters);
}

// With the step divided by |∇f|², one online step on square loss moves f by 2 · rate · error, up to
// the curvature; without, by next to nothing.
TEST(Mlp, ScaledStepsMoveTheOutputByTheRateUnderNtk) {
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

TEST(Mlp, ClipsTheNormOfTheGradient) {
  MlpConfig config = plain(Update::kOnline);
  config.clip = 1e-3;
  config.learning_rate = 1.0;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  const std::vector<double> initial = network.initial_parameters(config.seed);
  learn(*oracle, kBlocks, 0, 1);
  const std::string bytes = saved(*oracle);
  ByteReader in(bytes);
  static_cast<void>(in.u64());
  double squared = 0.0;
  for (const Segment& segment : network.segments()) {
    const std::vector<double> now = in.doubles();
    for (std::size_t i = 0; i < segment.size; ++i) {
      squared += std::pow(now[i] - initial[segment.offset + i], 2);
    }
  }
  EXPECT_NEAR(std::sqrt(squared), 1e-3, 1e-12);
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

TEST(Mlp, StaysWithinItsBalls) {
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

TEST(Mlp, PullKeepsItNearItsStart) {
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
TEST(Mlp, PullAddsItsGradientWhereTheStepGoes) {
  MlpConfig config = plain(Update::kOnline);
  config.pull = 0.5;
  const auto oracle = make_mlp(config, kBlocks);
  const Network network(network_shape(config), kBlocks);
  const std::vector<double> initial = network.initial_parameters(config.seed);
  std::vector<double> parameters = initial;
  for (std::uint64_t i = 0; i < 30; ++i) {
    std::vector<double> displacement = parameters;
    for (std::size_t j = 0; j < initial.size(); ++j) displacement[j] -= initial[j];
    mean_step(network, config.learning_rate, i, i + 1, parameters);
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

TEST(Mlp, ContinuesAfterLoadWithTheSameBits) {
  for (const FeatureLayout& layout : {kRows, kBlocks}) {
    for (const MlpConfig& config : every_kind()) {
      const auto one = make_mlp(config, layout);
      learn(*one, layout, 0, 37);  // in the middle of a period, and with a ring that has wrapped
      const auto other = make_mlp(config, layout);
      learn(*other, layout, 50, 55);  // load replaces all of it
      const std::string bytes = saved(*one);
      ByteReader in(bytes);
      ASSERT_TRUE(other->load(in).ok());
      EXPECT_TRUE(in.at_end());
      learn(*one, layout, 37, 75);
      learn(*other, layout, 37, 75);
      EXPECT_EQ(saved(*one), saved(*other));
      const RoundFeatures probe(layout, 1000);
      EXPECT_EQ(predictions(*one, probe.features()), predictions(*other, probe.features()));
    }
  }
}

TEST(Mlp, RefusesEveryTruncatedSaveAndStaysAsItWas) {
  for (MlpConfig config : every_kind()) {
    config.widths = {2};
    const auto oracle = make_mlp(config, kBlocks);
    learn(*oracle, kBlocks, 0, 7);
    const std::string bytes = saved(*oracle);
    const auto other = make_mlp(config, kBlocks);
    const std::string before = saved(*other);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      ByteReader in(std::string_view(bytes).substr(0, length));
      ASSERT_FALSE(other->load(in).ok()) << length << " of " << bytes.size() << " bytes";
    }
    EXPECT_EQ(saved(*other), before);
  }
}

// Whatever a flipped byte turns into, it is refused or it is a network that predicts in range.
TEST(Mlp, SurvivesGarbledSaves) {
  for (MlpConfig config : every_kind()) {
    config.widths = {2};
    const auto oracle = make_mlp(config, kBlocks);
    learn(*oracle, kBlocks, 0, 7);
    const std::string bytes = saved(*oracle);
    RandomStream stream(3, Purpose::kTest, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string garbled = bytes;
      garbled[i] = static_cast<char>(garbled[i] ^ static_cast<char>(1 + stream.below(255)));
      const auto other = make_mlp(config, kBlocks);
      ByteReader in(garbled);
      if (!other->load(in).ok()) continue;
      learn(*other, kBlocks, 7, 11);
      for (const double cost : predictions(*other, RoundFeatures(kBlocks, 8).features())) {
        ASSERT_TRUE(cost >= 0.0 && cost <= 1.0) << "byte " << i;
      }
    }
  }
}

TEST(Mlp, ADivergedNetworkPredictsTheHighestCost) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    MlpConfig config = plain(Update::kOnline);
    config.activation = Activation::kRelu;
    config.loss = loss;
    config.learning_rate = 1e200;
    const auto oracle = make_mlp(config, kRows);
    learn(*oracle, kRows, 0, 40);
    const double highest = loss == Loss::kLog ? 1.0 - kLogLossEdge : 1.0;
    for (const double cost : predictions(*oracle, RoundFeatures(kRows, 1000).features())) {
      EXPECT_EQ(cost, highest);
    }
  }
}

// A deterministic function that no linear model fits: whether two features have the same sign,
// softly. Its variance is 0.1; a network that has learned it is well below.
double target_cost(std::span<const double> x) {
  return 0.5 + 0.5 * std::tanh(2.0 * x[0] * x[1]);
}

double mean_squared_error(const Oracle& oracle, double& variance) {
  double error = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kRounds = 300;
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    const RoundFeatures round(kRows, 5000 + i);
    const double cost = target_cost(round.arm().features);
    error += std::pow(predictions(oracle, round.features())[round.played] - cost, 2) / kRounds;
    sum += cost / kRounds;
    squares += cost * cost / kRounds;
  }
  variance = squares - sum * sum;
  return error;
}

TEST(Mlp, LearnsWhatIsNotLinear) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    const auto oracle = make_mlp({.loss = loss, .seed = 1}, kRows);
    for (std::uint64_t i = 0; i < 1500; ++i) {
      const RoundFeatures round(kRows, i);
      oracle->update(round.arm(), target_cost(round.arm().features));
    }
    double variance = 0.0;
    const double error = mean_squared_error(*oracle, variance);
    EXPECT_LT(error, 0.1 * variance) << "loss " << static_cast<int>(loss);
  }
}

TEST(Mlp, ThePapersNetworkLearnsToo) {
  MlpConfig config = papers(Loss::kSquare);
  config.widths = {100};
  config.update = Update::kOnline;
  config.learning_rate = 0.1;
  config.rho = config.rho_1 = kInfinity;
  const auto oracle = make_mlp(config, kRows);
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const RoundFeatures round(kRows, i);
    oracle->update(round.arm(), target_cost(round.arm().features));
  }
  double variance = 0.0;
  const double error = mean_squared_error(*oracle, variance);
  EXPECT_LT(error, 0.5 * variance);
}

}  // namespace
}  // namespace handrail
