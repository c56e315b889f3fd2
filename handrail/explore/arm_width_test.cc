#include "handrail/explore/arm_width.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

constexpr ArmWidthConfig kFirst = {.form = ArmWidth::kFirst, .arm_count = 4, .delta = 0.05};
constexpr ArmWidthConfig kSecond = {.form = ArmWidth::kSecond, .arm_count = 4, .delta = 0.05};

TEST(ArmWidth, FollowsBothFormsOfThePaper) {
  EXPECT_NEAR(psi_of(kFirst, 1.0), 8.764053, 1e-6);
  EXPECT_NEAR(psi_of(kFirst, 10.0), 22.579564, 1e-6);
  EXPECT_NEAR(psi_of(kFirst, 1000.0), 50.210585, 1e-6);
  EXPECT_NEAR(psi_of(kSecond, 1.0), 9.796437, 1e-6);
  EXPECT_NEAR(psi_of(kSecond, 10.0), 9.796437, 1e-6);
  EXPECT_NEAR(psi_of(kSecond, 1000.0), 10.956595, 1e-6);
}

TEST(ArmWidth, LeavesAnArmThatWasNeverPlayedAllItCanCost) {
  for (const ArmWidthConfig& config : {kFirst, kSecond}) {
    EXPECT_EQ(lower_cost(config, {}), 0.0);
    EXPECT_EQ(upper_cost(config, {}), 1.0);
  }
}

// ψ(1000) as above: D = √(50.210585/1000) = 0.2240772, √(10.956595/1000) = 0.1046737.
TEST(ArmWidth, IsAddedToTheMeanAndTakenFromIt) {
  const ArmPlays plays = {.count = 1000, .cost_sum = 400.0};
  EXPECT_NEAR(lower_cost(kFirst, plays), 0.1759228, 1e-6);
  EXPECT_NEAR(upper_cost(kFirst, plays), 0.6240772, 1e-6);
  EXPECT_NEAR(lower_cost(kSecond, plays), 0.2953263, 1e-6);
  EXPECT_NEAR(upper_cost(kSecond, plays), 0.5046737, 1e-6);
}

TEST(ArmWidth, NeverLeavesWhatAnArmCanCost) {
  EXPECT_EQ(lower_cost(kSecond, {.count = 3, .cost_sum = 3.0}), 0.0);
  EXPECT_EQ(upper_cost(kSecond, {.count = 3, .cost_sum = 0.0}), 1.0);
}

// One arm and a δ next to 1: K/δ is next to 1, where the second form divides by K/δ − 1.
TEST(ArmWidth, IsFiniteForEveryDelta) {
  for (const double delta : {1e-100, 0.5, std::nextafter(1.0, 0.0)}) {
    const ArmWidthConfig config = {.form = ArmWidth::kSecond, .arm_count = 1, .delta = delta};
    EXPECT_TRUE(std::isfinite(psi_of(config, 1.0)));
    EXPECT_GT(psi_of(config, 1.0), 0.0);
  }
}

// √K·(1 + 4√ψ(2⁶³)) with ψ(2⁶³) = 270.773688 and 13.249865, by a script of its own.
TEST(ArmWidth, BoundsTheRegretOfWhoeverPlaysTheLeastLowerCost) {
  EXPECT_NEAR(ucb_regret_rate(kFirst), 133.641620, 1e-6);
  EXPECT_NEAR(ucb_regret_rate(kSecond), 31.120292, 1e-6);
}

}  // namespace
}  // namespace handrail
