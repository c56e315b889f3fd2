// What every environment must hold, whatever it is made of. Functions and not TEST_P, because a
// parameterised test can live in one source file only and environments have one each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "handrail/env/environment.h"

namespace handrail {

using EnvironmentMaker = std::function<std::unique_ptr<Environment>(std::uint64_t seed)>;

inline void expect_same_round(const EnvironmentRound& a, const EnvironmentRound& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.arm_count, b.arm_count);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.baseline.arm, b.baseline.arm);
  EXPECT_EQ(a.baseline.cost, b.baseline.cost);
  EXPECT_EQ(a.factors, b.factors);
  EXPECT_EQ(a.expected_costs, b.expected_costs);
}

inline void expect_same_outcomes(const Environment& a, const Environment& b,
                                 const EnvironmentRound& round) {
  for (ArmIndex arm = 0; arm < round.arm_count; ++arm) {
    const Outcome first = a.outcome(round, arm);
    const Outcome second = b.outcome(round, arm);
    EXPECT_EQ(first.cost, second.cost);
    EXPECT_EQ(first.arrives, second.arrives);
  }
}

// Rounds asked for forwards by one object and backwards by another, into memory that held other
// rounds before.
inline void expect_pure(const EnvironmentMaker& make) {
  SCOPED_TRACE("pure function of (seed, t)");
  constexpr std::uint64_t kRounds = 40;
  const std::unique_ptr<Environment> forwards = make(1);
  const std::unique_ptr<Environment> backwards = make(1);
  std::vector<EnvironmentRound> rounds(kRounds + 1);
  for (std::uint64_t t = 1; t <= kRounds; ++t) forwards->fill(t, rounds[t]);
  EnvironmentRound again;
  for (std::uint64_t t = kRounds; t >= 1; --t) {
    backwards->fill(t, again);
    expect_same_round(again, rounds[t]);
    expect_same_outcomes(*forwards, *backwards, again);
  }
}

inline void expect_seeds_to_matter(const EnvironmentMaker& make) {
  SCOPED_TRACE("seeds matter");
  const std::unique_ptr<Environment> one = make(1);
  const std::unique_ptr<Environment> two = make(2);
  EnvironmentRound of_one;
  EnvironmentRound of_two;
  bool differ = false;
  for (std::uint64_t t = 1; t <= 40; ++t) {
    one->fill(t, of_one);
    two->fill(t, of_two);
    differ = differ || of_one.features != of_two.features ||
             of_one.expected_costs != of_two.expected_costs;
  }
  EXPECT_TRUE(differ);
}

inline void expect_valid_rounds(const EnvironmentMaker& make) {
  SCOPED_TRACE("valid rounds");
  const std::unique_ptr<Environment> environment = make(3);
  EnvironmentRound round;
  for (std::uint64_t t = 1; t <= 200; ++t) {
    environment->fill(t, round);
    EXPECT_EQ(round.t, t);
    EXPECT_EQ(round.arm_count, environment->arm_count());
    const bool is_product = environment->layout().shape == FeatureShape::kProduct;
    ASSERT_EQ(round.expected_costs.size(), is_product ? 0 : round.arm_count);
    std::vector<double> memory;
    double best = 1.0;
    const Round shown = round_of(round, environment->layout());  // asserts what an agent relies on
    for (ArmIndex arm = 0; arm < round.arm_count; ++arm) {
      EXPECT_TRUE(check_cost(environment->expected_cost(round, arm), "h").ok());
      best = std::min(best, environment->expected_cost(round, arm));
      double squares = 0.0;
      for (const double value : shown.features().arm(arm, memory).features) {
        squares += value * value;
      }
      EXPECT_LE(std::sqrt(squares), 1.0 + 1e-12);
      const Outcome outcome = environment->outcome(round, arm);
      EXPECT_TRUE(check_cost(outcome.cost, "y").ok());
      EXPECT_GE(outcome.arrives, t);
    }
    EXPECT_EQ(environment->best_cost(round), best);
  }
}

// Rounds are independent given their expected costs, so over 10^5 of them the mean of y − h is
// within √(log(2e6) / 2e5) < 0.0086 of 0 but for a chance of 1e-6.
inline void expect_unbiased_costs(const EnvironmentMaker& make) {
  SCOPED_TRACE("observed costs have the expected cost as their mean");
  constexpr std::uint64_t kRounds = 100'000;
  const std::unique_ptr<Environment> environment = make(4);
  EnvironmentRound round;
  double sum = 0.0;
  for (std::uint64_t t = 1; t <= kRounds; ++t) {
    environment->fill(t, round);
    const auto arm = static_cast<ArmIndex>(t % round.arm_count);
    sum += environment->outcome(round, arm).cost - environment->expected_cost(round, arm);
  }
  EXPECT_NEAR(sum / static_cast<double>(kRounds), 0.0, 0.0086);
}

inline void expect_conforming(const EnvironmentMaker& make) {
  expect_pure(make);
  expect_seeds_to_matter(make);
  expect_valid_rounds(make);
  expect_unbiased_costs(make);
}

}  // namespace handrail
