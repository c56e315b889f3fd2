#include "handrail/env/noise.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

TEST(Noise, ReadsBackFromItsText) {
  for (const char* text : {"none", "bernoulli", "flip:0", "flip:0.1", "flip:1"}) {
    EXPECT_EQ(to_text(parse_noise(text).value()), text);
  }
}

TEST(Noise, RefusesWithASentence) {
  for (const char* text : {"", "gauss", "flip", "flip:", "flip:1.5", "flip:-0.1", "flip:nan"}) {
    const Result<Noise> parsed = parse_noise(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().message,
              "noise is \"" + std::string(text) +
                  "\"; none, bernoulli or flip:RATE was expected, RATE a number in [0, 1]");
  }
}

TEST(BernoulliCost, IsAFunctionOfSeedRoundAndArm) {
  int differ_by_seed = 0;
  int differ_by_arm = 0;
  for (std::uint64_t t = 1; t <= 100; ++t) {
    const double cost = bernoulli_cost(0.5, 1, t, 3);
    EXPECT_EQ(cost, bernoulli_cost(0.5, 1, t, 3));
    differ_by_seed += cost != bernoulli_cost(0.5, 2, t, 3) ? 1 : 0;
    differ_by_arm += cost != bernoulli_cost(0.5, 1, t, 4) ? 1 : 0;
  }
  EXPECT_GT(differ_by_seed, 20);
  EXPECT_GT(differ_by_arm, 20);
}

TEST(BernoulliCost, IsExactWhereNothingIsUncertain) {
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    EXPECT_EQ(bernoulli_cost(0.0, 1, t, 0), 0.0);
    EXPECT_EQ(bernoulli_cost(1.0, 1, t, 0), 1.0);
  }
}

// 10^5 draws each: the mean is within √(log(2e6) / 2e5) < 0.0086 of the expected cost but for a
// chance of 1e-6.
TEST(BernoulliCost, HasTheExpectedCostAsItsMean) {
  constexpr int kDraws = 100'000;
  for (const double expected_cost : {0.01, 0.3, 0.5, 0.95}) {
    double sum = 0.0;
    for (std::uint64_t t = 1; t <= kDraws; ++t) sum += bernoulli_cost(expected_cost, 1, t, 2);
    EXPECT_NEAR(sum / kDraws, expected_cost, 0.0086);
  }
}

}  // namespace
}  // namespace handrail
