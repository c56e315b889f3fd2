#include "handrail/explore/gamma.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

TEST(Gamma, FollowsItsFormula) {
  const GammaInputs in = {
      .arm_count = 5, .explored = 99, .explored_cost_sum = 24.0, .regret_bound = 2.0};
  EXPECT_EQ(gamma_of({.kind = GammaKind::kConstant, .scale = 7.0}, in), 7.0);
  EXPECT_DOUBLE_EQ(gamma_of({.kind = GammaKind::kRounds}, in), 100.0);
  EXPECT_DOUBLE_EQ(gamma_of({.kind = GammaKind::kCosts}, in), 50.0);
  EXPECT_DOUBLE_EQ(gamma_of({.kind = GammaKind::kRounds, .scale = 2.0, .exponent = 0.25}, in),
                   2.0 * std::pow(100.0, 0.25));
  EXPECT_DOUBLE_EQ(gamma_of({.kind = GammaKind::kSqrt, .delta = 0.05}, in),
                   std::sqrt(5.0 * 100.0 / (2.0 + std::log(80.0))));
}

// A square root where pow would be asked for one: the same up to the last bit.
TEST(Gamma, TakesTheExponentOfOneHalfAsASquareRoot) {
  for (std::uint64_t m = 0; m < 20'000; m += 7) {
    const auto rounds = static_cast<double>(m + 1);
    const double gamma = gamma_of({.scale = 1.0}, {.arm_count = 2, .explored = m});
    EXPECT_EQ(gamma, std::sqrt(rounds));
    EXPECT_LE(std::abs(gamma - std::pow(rounds, 0.5)), gamma * 0x1.0p-52);
  }
}

TEST(Gamma, FirstOrderIsAtLeastTenTimesTheArms) {
  EXPECT_DOUBLE_EQ(gamma_of({.kind = GammaKind::kFirstOrder},
                            {.arm_count = 5, .explored = 9, .explored_cost_sum = 3.0}),
                   50.0);
  EXPECT_DOUBLE_EQ(
      gamma_of({.kind = GammaKind::kFirstOrder},
               {.arm_count = 2, .explored = 9, .explored_cost_sum = 49'999.0, .regret_bound = 4.0}),
      std::sqrt(2.0 * 50'000.0 / 4.0));
}

// Algorithm 2's loop as printed, with the best cost of each explored round a constant rate.
double printed_episodic(std::size_t arm_count, double rate, std::uint64_t explored, double bound) {
  double level = 1.0;
  double best_cost = 0.0;
  double gamma = 0.0;
  for (std::uint64_t i = 0; i <= explored; ++i) {
    best_cost += rate;
    if (best_cost > 2.0 * level) level *= 2.0;
    const auto k = static_cast<double>(arm_count);
    gamma = std::max(10.0 * k, std::sqrt(k * level / bound));
  }
  return gamma;
}

TEST(Gamma, EpisodicWithARateIsThePrintedLoop) {
  const GammaConfig config = {.kind = GammaKind::kEpisodic, .best_cost = 0.75};
  for (const std::uint64_t explored : {0u, 1u, 2u, 5u, 6u, 100u, 5000u}) {
    EXPECT_DOUBLE_EQ(
        gamma_of(config, {.arm_count = 2, .explored = explored, .regret_bound = 0.001}),
        printed_episodic(2, 0.75, explored, 0.001))
        << explored;
  }
}

TEST(Gamma, EpisodicEstimatesTheBestCostByItsOwn) {
  const GammaConfig config = {.kind = GammaKind::kEpisodic};
  const auto gamma = [&](double own_costs) {
    return gamma_of(config, {.arm_count = 1, .explored_cost_sum = own_costs, .regret_bound = 1e-4});
  };
  EXPECT_DOUBLE_EQ(gamma(2.0), 100.0);                // η = 1
  EXPECT_DOUBLE_EQ(gamma(2.5), std::sqrt(2.0e4));     // η = 2
  EXPECT_DOUBLE_EQ(gamma(100.0), std::sqrt(64.0e4));  // η = 64: 100 ≤ 128
}

TEST(Gamma, NeverFallsWhileItsInputsGrow) {
  for (const GammaKind kind : {GammaKind::kConstant, GammaKind::kSqrt, GammaKind::kEpisodic,
                               GammaKind::kFirstOrder, GammaKind::kRounds, GammaKind::kCosts}) {
    double last = 0.0;
    for (std::uint64_t m = 0; m < 3000; m += 7) {
      const double gamma = gamma_of(
          {.kind = kind}, {.arm_count = 4, .explored = m, .explored_cost_sum = 0.4 * double(m)});
      EXPECT_GE(gamma, last);
      last = gamma;
    }
  }
}

}  // namespace
}  // namespace handrail
