#include "handrail/oracle/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

TEST(Optimizer, SgdFollowsTheGradient) {
  std::vector<double> parameters = {1.0, 2.0};
  sgd_step(0.5, std::vector{2.0, -1.0}, parameters);
  EXPECT_EQ(parameters, (std::vector{0.0, 2.5}));
}

// By hand: g = (1, 0), then (−2, 0). Steps 0.1 · 1/1 and 0.1 · (−2)/√5.
TEST(Optimizer, AdaGradDividesByTheRootOfTheSumOfSquares) {
  std::vector<double> parameters = {0.0, 7.0};
  std::vector<double> sums = {0.0, 0.0};
  adagrad_step({.rate = 0.1, .factor = 0.5}, std::vector{2.0, 0.0}, sums, parameters);
  EXPECT_NEAR(parameters[0], -0.1, 1e-10);
  adagrad_step({.rate = 0.1, .factor = 1.0}, std::vector{-2.0, 0.0}, sums, parameters);
  EXPECT_NEAR(parameters[0], -0.1 + 0.2 / std::sqrt(5.0), 1e-10);
  EXPECT_EQ(sums[0], 5.0);
  EXPECT_EQ(parameters[1], 7.0);
}

// By hand: after g = 1, then −2: m = 0.9·0.1 − 0.2 = −0.11, v = 0.999·0.001 + 0.004 = 0.004999,
// corrected by 1 − 0.81 and 1 − 0.998001.
TEST(Optimizer, AdamFollowsItsCorrectedMoments) {
  std::vector<double> parameters = {0.0};
  std::vector<double> first = {0.0};
  std::vector<double> second = {0.0};
  const AdamMoments moments{.first = first, .second = second};
  adam_step({.rate = 0.1, .factor = 1.0, .count = 1}, std::vector{1.0}, moments, parameters);
  EXPECT_NEAR(parameters[0], -0.1, 1e-8);
  adam_step({.rate = 0.1, .factor = 2.0, .count = 2}, std::vector{-1.0}, moments, parameters);
  const double expected = -0.1 + 0.1 * (0.11 / 0.19) / std::sqrt(0.004999 / 0.001999);
  EXPECT_NEAR(parameters[0], expected, 1e-8);
}

// By hand: squares 1 → 0.9 + 0.1·4 = 1.3 → 1.17 + 0.1 = 1.27 after g = 2, then −1. A gradient of 0
// lets them fade all the same.
TEST(Optimizer, RmsPropDividesByTheRootOfTheRunningMeanOfSquares) {
  std::vector<double> parameters = {0.0, 7.0};
  std::vector<double> squares = {1.0, 1.0};
  rmsprop_step({.rate = 0.1, .factor = 0.5}, std::vector{4.0, 0.0}, squares, parameters);
  EXPECT_NEAR(parameters[0], -0.2 / std::sqrt(1.3), 1e-9);
  rmsprop_step({.rate = 0.1, .factor = 1.0}, std::vector{-1.0, 0.0}, squares, parameters);
  EXPECT_NEAR(parameters[0], -0.2 / std::sqrt(1.3) + 0.1 / std::sqrt(1.27), 1e-9);
  EXPECT_EQ(parameters[1], 7.0);
  EXPECT_NEAR(squares[1], 0.81, 1e-15);
}

// A first step of Adam is as long as the rate, whenever it comes: the correction counts the
// segment's own steps, and the other segment's moments have not moved.
TEST(Optimizer, MemoryOfASegmentMovesOnlyWithItsOwnSteps) {
  const std::vector<Segment> segments = {{0, 1, 0}, {128, 1, 0}};
  OptimizerState adam(Optimizer::kAdam, 0.1, segments);
  std::vector<double> gradient(129, 3.0);
  std::vector<double> parameters(129, 0.0);
  for (int i = 0; i < 50; ++i) adam.step(0, 1.0, gradient, parameters);
  EXPECT_EQ(parameters[128], 0.0);
  adam.step(1, 1.0, gradient, parameters);
  EXPECT_NEAR(parameters[128], -0.1, 1e-8);
  EXPECT_EQ(parameters[1], 0.0);
}

TEST(AdamDescent, StepsOnAllParametersFromANewGradientEachTime) {
  const std::vector<Segment> whole = {{0, 3, 0}};
  OptimizerState adam(Optimizer::kAdam, 0.1, whole);
  std::vector<double> expected = {1.0, 2.0, 3.0};
  std::vector<double> parameters = expected;
  AdamDescent descent(0.1, parameters);
  for (const double slope : {0.3, -0.7, 0.1}) {
    const std::vector<double> gradient = {slope, 0.0, 2.0 * slope};
    adam.step(0, 1.0, gradient, expected);
    const std::span<double> fresh = descent.new_gradient();
    for (std::size_t i = 0; i < 3; ++i) fresh[i] += gradient[i];
    descent.step();
  }
  EXPECT_EQ(parameters, expected);
}

TEST(Optimizer, ContinuesAfterLoadWithTheSameBits) {
  const std::vector<Segment> segments = {{0, 3, 0}, {128, 2, 1}};
  const std::vector<double> gradient(130, 0.3);
  for (const Optimizer kind : {Optimizer::kSgd, Optimizer::kAdaGrad, Optimizer::kAdam}) {
    OptimizerState one(kind, 0.1, segments);
    std::vector<double> parameters(130, 1.0);
    for (int i = 0; i < 7; ++i) one.step(i % 2 == 0 ? 0 : 1, 1.0, gradient, parameters);
    ByteWriter out;
    one.save(out);
    OptimizerState other(kind, 0.1, segments);
    ByteReader in(out.bytes());
    other.load(in);
    ASSERT_TRUE(in.status().ok());
    EXPECT_TRUE(in.at_end());
    std::vector<double> copy = parameters;
    for (const std::size_t segment : {0u, 1u}) {
      one.step(segment, 1.0, gradient, parameters);
      other.step(segment, 1.0, gradient, copy);
    }
    EXPECT_EQ(parameters, copy);
  }
}

}  // namespace
}  // namespace handrail
