#include "handrail/oracle/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "handrail/base/random.h"
#include "handrail/oracle/dense.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {
namespace {

constexpr FeatureLayout kBlocks{FeatureShape::kBlock, 3, 4};

// A linear function small enough to do by hand: f = ⟨θ, x⟩, θ_0 = 0, θ = (.2, −.1), x = (1, 0),
// y = 1, κ = .5, ε_1 = (+, +), ε_2 = (+, −), so r = (.1, .3) and f~ = (.25, .35).
struct ByHand {
  std::vector<double> shifts = {0.5 * 0.1, 0.5 * 0.3};
  Segment segment{.offset = 0, .size = 2};
  Ensemble ensemble{SignTable(2, {3, 0, 1, 0}), 0.5, {&segment, 1}};
  NetworkWeights parameters{.values = {0.2, -0.1}, .initial = {0.0, 0.0}};

  // θ − θ' for one step of rate 1.
  std::vector<double> gradient(Loss loss) {
    std::vector<double> slopes(2, 0.0);
    const double slope = add_slopes(loss, {.output = 0.2, .cost = 1.0}, shifts, slopes);
    const std::vector<double> values = {slope * 1.0, slope * 0.0};
    const std::size_t touched = 0;
    const GradientView view{{&touched, 1}, values, slopes};
    NetworkWeights moved = parameters;
    static_cast<void>(ensemble.measure(view, moved));
    ensemble.step(1.0, view, moved);
    return {parameters.values[0] - moved.values[0], parameters.values[1] - moved.values[1]};
  }
};

TEST(Ensemble, SquareLossOfTheExampleByHand) {
  ByHand example;
  std::vector<double> slopes(2, 0.0);
  const double mean =
      add_slopes(Loss::kSquare, {.output = 0.2, .cost = 1.0}, example.shifts, slopes);
  EXPECT_NEAR(predicted_cost(Loss::kSquare, 0.2, example.shifts), 0.3, 1e-15);
  EXPECT_NEAR(slopes[0], -1.5, 1e-15);
  EXPECT_NEAR(slopes[1], -1.3, 1e-15);
  EXPECT_NEAR(mean, -1.4, 1e-15);
  const std::vector<double> gradient = example.gradient(Loss::kSquare);
  EXPECT_NEAR(gradient[0], -2.1, 1e-14);
  EXPECT_NEAR(gradient[1], -0.05, 1e-14);
}

TEST(Ensemble, LogLossOfTheExampleByHand) {
  ByHand example;
  std::vector<double> slopes(2, 0.0);
  static_cast<void>(add_slopes(Loss::kLog, {.output = 0.2, .cost = 1.0}, example.shifts, slopes));
  EXPECT_NEAR(predicted_cost(Loss::kLog, 0.2, example.shifts), 0.5743970399, 5e-11);
  EXPECT_NEAR(slopes[0], -0.4378234991, 5e-11);
  EXPECT_NEAR(slopes[1], -0.4133824211, 5e-11);
  const std::vector<double> gradient = example.gradient(Loss::kLog);
  EXPECT_NEAR(gradient[0], -0.6384044401, 5e-11);
  EXPECT_NEAR(gradient[1], -0.0061102695, 5e-11);
}

TEST(Ensemble, AnOutputThatIsNotFiniteLooksExpensive) {
  const std::vector<double> none = {0.0};
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double output : {std::nan(""), infinity, -infinity}) {
    EXPECT_EQ(predicted_cost(Loss::kSquare, output, none), 1.0);
    EXPECT_EQ(predicted_cost(Loss::kLog, output, none), 1.0 - kLogLossEdge);
  }
  EXPECT_EQ(predicted_cost(Loss::kSquare, -3.0, none), 0.0);
  EXPECT_EQ(predicted_cost(Loss::kLog, -99.0, none), kLogLossEdge);
}

// A small network with its copies, stepped by hand.
struct Trained {
  explicit Trained(std::uint64_t seed_of_all, std::size_t copies = 5)
      : seed(seed_of_all),
        network({.widths = {4, 3}, .activation = Activation::kTanh}, kBlocks),
        ensemble(SignTable::draw(seed, copies, network.parameter_count()), kKappa,
                 network.segments()),
        parameters{network.initial_parameters(seed), network.initial_parameters(seed)},
        gradient(network, copies),
        trace(network.trace_size()) {}

  Example example(std::uint64_t number) {
    RandomStream stream(seed, Purpose::kTest, number);
    features.assign(3, 0.0);
    for (double& feature : features) feature = stream.normal();
    return {.arm = {.features = features, .block = stream.below(4)}, .cost = stream.uniform()};
  }

  void differentiate(Loss loss, const Example& example) {
    const double output = network.forward(parameters.values, example.arm, trace);
    gradient.begin();
    const double slope = add_slopes(loss, {.output = output, .cost = example.cost},
                                    ensemble.shifts(), gradient.slopes);
    network.backward(parameters.values, {&example.arm, 1}, trace);
    gradient.add({&slope, 1}, {&example.arm, 1}, trace);
  }

  void step(Loss loss, double rate, const Example& example) {
    differentiate(loss, example);
    static_cast<void>(ensemble.measure(gradient.view(), parameters));
    ensemble.step(rate, gradient.view(), parameters);
  }

  // ⟨Δ_l, ε_{s,l}⟩, one sign at a time.
  double direct_sign_sum(const SignTable& signs, std::size_t copy, std::size_t layer) const {
    double sum = 0.0;
    for (const Segment& segment : network.segments()) {
      if (segment.layer != layer) continue;
      for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
        sum += (parameters.values[i] - parameters.initial[i]) * signs.sign(copy, i);
      }
    }
    return sum;
  }

  double direct_squared_distance(std::size_t layer) const {
    double sum = 0.0;
    for (const Segment& segment : network.segments()) {
      if (segment.layer == layer) sum += squared_distance(parameters, segment);
    }
    return sum;
  }

  static constexpr double kKappa = 0.2;
  std::uint64_t seed;
  Network network;
  Ensemble ensemble;
  NetworkWeights parameters;
  BatchGradient gradient;
  std::vector<double> trace;
  std::vector<double> features;
};

// The loss as the paper writes it, from the parameters alone.
double direct_loss(const Trained& trained, const SignTable& signs, Loss loss,
                   const Example& example) {
  std::vector<double> shifts(signs.copy_count(), 0.0);
  for (std::size_t s = 0; s < shifts.size(); ++s) {
    for (std::size_t l = 0; l < 3; ++l) {
      shifts[s] += Trained::kKappa * trained.direct_sign_sum(signs, s, l);
    }
  }
  std::vector<double> trace(trained.network.trace_size());
  const double output = trained.network.forward(trained.parameters.values, example.arm, trace);
  return ensemble_loss(loss, output, example.cost, shifts);
}

TEST(Ensemble, StepFollowsTheGradientOfTheMeanLoss) {
  constexpr double kStep = 1e-5;
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    Trained trained(11);
    const SignTable signs = SignTable::draw(11, 5, trained.network.parameter_count());
    for (std::uint64_t i = 0; i < 20; ++i) trained.step(loss, 0.05, trained.example(i));
    const Example example = trained.example(99);
    Trained before = trained;
    trained.step(loss, 1.0, example);
    for (const Segment& segment : before.network.segments()) {
      for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
        const double kept = before.parameters.values[i];
        before.parameters.values[i] = kept + kStep;
        const double above = direct_loss(before, signs, loss, example);
        before.parameters.values[i] = kept - kStep;
        const double below = direct_loss(before, signs, loss, example);
        before.parameters.values[i] = kept;
        ASSERT_NEAR(kept - trained.parameters.values[i], (above - below) / (2.0 * kStep), 1e-8)
            << "parameter " << i;
      }
    }
  }
}

TEST(Ensemble, MeasuresTheNormOfTheWholeStep) {
  Trained trained(12);
  for (std::uint64_t i = 0; i < 20; ++i) trained.step(Loss::kSquare, 0.05, trained.example(i));
  const NetworkWeights before = trained.parameters;
  trained.differentiate(Loss::kSquare, trained.example(99));
  const double squared = trained.ensemble.measure(trained.gradient.view(), trained.parameters);
  trained.ensemble.step(1.0, trained.gradient.view(), trained.parameters);
  double moved = 0.0;
  for (std::size_t i = 0; i < before.values.size(); ++i) {
    moved += std::pow(before.values[i] - trained.parameters.values[i], 2);
  }
  EXPECT_NEAR(squared, moved, 1e-12 * moved);
}

// 1000 steps that leave the balls again and again: what is carried along must stay what a pass over
// all parameters gives.
TEST(Ensemble, SumsAndDistancesFollowTheParameters) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Trained trained(seed);
    const SignTable signs = SignTable::draw(seed, 5, trained.network.parameter_count());
    const std::vector<double> radii = {0.5, 0.3, 0.2};
    int projected = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      trained.step(i % 2 == 0 ? Loss::kSquare : Loss::kLog, 0.1, trained.example(i));
      for (std::size_t l = 0; l < 3; ++l) {
        if (trained.ensemble.squared_distance(l) > radii[l] * radii[l]) ++projected;
      }
      trained.ensemble.project(radii, trained.parameters);
    }
    EXPECT_GT(projected, 100);
    double shift = 0.0;
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_NEAR(trained.ensemble.squared_distance(l), trained.direct_squared_distance(l), 1e-9);
      EXPECT_LE(trained.direct_squared_distance(l), radii[l] * radii[l] * (1.0 + 1e-9));
      for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_NEAR(trained.ensemble.sign_sum(s, l), trained.direct_sign_sum(signs, s, l), 1e-9);
      }
      shift += Trained::kKappa * trained.direct_sign_sum(signs, 2, l);
    }
    EXPECT_NEAR(trained.ensemble.shifts()[2], shift, 1e-9);
  }
}

// Averaged over the signs, square loss is (f − y)² + κ²|Δ|², whose dense part has gradient 2κ²Δ.
// Over 4000 pairs ±ε the odd part cancels, and the rest regressed on 2κ²Δ has slope mean(r²)/|Δ|²,
// with mean 1 and variance at most 2/4000: 0.13 is 5.8 standard errors.
TEST(Ensemble, ManyCopiesPullTowardsTheStart) {
  constexpr std::size_t kPairs = 4000;
  const Segment segment{.offset = 0, .size = 200};
  const SignTable signs = SignTable::draw(21, kPairs, 256);
  RandomStream stream(21, Purpose::kTest, 0);
  std::vector<double> displacement(segment.size);
  for (double& value : displacement) value = stream.normal();

  constexpr double kKappa = 0.3;
  std::vector<double> shifts(2 * kPairs);
  for (std::size_t s = 0; s < kPairs; ++s) {
    shifts[s] = kKappa * signs.dot(s, segment, displacement);
    shifts[kPairs + s] = -shifts[s];
  }
  std::vector<double> slopes(2 * kPairs, 0.0);
  static_cast<void>(add_slopes(Loss::kSquare, {.output = 0.7, .cost = 0.2}, shifts, slopes));
  std::vector<double> coefficients(kPairs);
  for (std::size_t s = 0; s < kPairs; ++s) {
    coefficients[s] = kKappa / (2.0 * kPairs) * (slopes[s] - slopes[kPairs + s]);
  }
  std::vector<double> dense(segment.size, 0.0);
  signs.add(coefficients, segment, dense);
  const double slope =
      dot(dense, displacement) / (2.0 * kKappa * kKappa * dot(displacement, displacement));
  EXPECT_NEAR(slope, 1.0, 0.13);
}

}  // namespace
}  // namespace handrail
