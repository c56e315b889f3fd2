#include "handrail/oracle/bayesian_regression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace handrail {
namespace {

// By hand: rows (1, 0) and (1, 1) with costs ½ and 1. P = [9/4 1; 1 5/4] with determinant 29/16,
// Zᵀy = (3/2, 1), μ = (14, 12)/29, μᵀPμ = μᵀZᵀy = 33/29, yᵀy = 5/4.
BayesianRegression of_two() {
  BayesianRegression regression(2, {});
  regression.add(std::array{1.0, 0.0}, 0.5);
  regression.add(std::array{1.0, 1.0}, 1.0);
  regression.settle();
  return regression;
}

TEST(BayesianRegression, StartsAtThePrior) {
  const BayesianRegression regression(3, {});
  EXPECT_EQ(regression.shape(), 6.0);
  EXPECT_EQ(regression.scale(), 6.0);
  for (const double mean : regression.mean()) EXPECT_EQ(mean, 0.0);
}

TEST(BayesianRegression, HasThePosteriorOfTwoRowsByHand) {
  const BayesianRegression regression = of_two();
  ASSERT_TRUE(regression.sound());
  EXPECT_NEAR(regression.mean()[0], 14.0 / 29.0, 1e-15);
  EXPECT_NEAR(regression.mean()[1], 12.0 / 29.0, 1e-15);
  EXPECT_EQ(regression.shape(), 7.0);
  EXPECT_NEAR(regression.scale(), 6.0 + 0.5 * (1.25 - 33.0 / 29.0), 1e-15);
}

TEST(BayesianRegression, ClearForgetsEverything) {
  BayesianRegression regression = of_two();
  regression.clear();
  regression.settle();
  EXPECT_EQ(regression.row_count(), 0u);
  EXPECT_EQ(regression.scale(), 6.0);
  EXPECT_EQ(regression.mean()[0], 0.0);
}

// For w drawn as it should be, Q = (w − μ)ᵀP(w − μ) is 2σ² times an exponential, and with σ² ~
// InvGamma(a, b) it follows that P(Q ≤ q) = 1 − (1 + q/(2b))^−a. The chance that both parts of
// w − μ are above 0 is ¼ + arcsin(ρ)/(2π), with ρ = −1/√(9/4 · 5/4) of P⁻¹. By Hoeffding a share
// over 10^5 draws is further than 0.0086 from its chance with a chance below 10^-6.
TEST(BayesianRegression, DrawsFromThePosterior) {
  constexpr int kDraws = 100'000;
  constexpr double kTolerance = 0.0086;
  const BayesianRegression regression = of_two();
  RandomStream stream(5, Purpose::kTest, 2);
  const std::array bounds = {0.5, 1.5, 4.0};
  std::array<int, 3> below = {};
  int both_above = 0;
  for (int i = 0; i < kDraws; ++i) {
    std::array<double, 2> w = {};
    regression.draw(stream, w);
    const double x = w[0] - regression.mean()[0];
    const double y = w[1] - regression.mean()[1];
    const double q = 2.25 * x * x + 2.0 * x * y + 1.25 * y * y;
    for (std::size_t k = 0; k < 3; ++k) below[k] += q <= bounds[k] ? 1 : 0;
    both_above += x > 0.0 && y > 0.0 ? 1 : 0;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double expected =
        1.0 - std::pow(1.0 + bounds[k] / (2.0 * regression.scale()), -regression.shape());
    EXPECT_NEAR(below[k] / 1e5, expected, kTolerance);
  }
  const double rho = -1.0 / std::sqrt(2.25 * 1.25);
  EXPECT_NEAR(both_above / 1e5, 0.25 + std::asin(rho) / (2.0 * std::numbers::pi), kTolerance);
}

TEST(BayesianRegression, LoadsTheSameBits) {
  const BayesianRegression saved = of_two();
  ByteWriter out;
  saved.save(out);
  BayesianRegression loaded(2, {});
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  EXPECT_EQ(loaded.scale(), saved.scale());
  RandomStream one(1, Purpose::kTest, 1);
  RandomStream same = one;
  std::array<double, 2> left = {};
  std::array<double, 2> right = {};
  saved.draw(one, left);
  loaded.draw(same, right);
  EXPECT_EQ(left, right);
}

TEST(BayesianRegression, SaysThatItIsNotSound) {
  BayesianRegression regression(2, {});
  regression.add(std::array{1e200, 1.0}, 0.5);
  regression.settle();
  EXPECT_FALSE(regression.sound());
  regression.clear();
  regression.settle();
  EXPECT_TRUE(regression.sound());
}

}  // namespace
}  // namespace handrail
