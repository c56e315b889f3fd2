#include "handrail/safety/propensity.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

using Flags = std::vector<std::uint8_t>;

TEST(Propensity, IsTheDistributionWhereEverythingIsAdmitted) {
  const Distribution p({0.2, 0.3, 0.5}, 2);
  for (ArmIndex arm = 0; arm < 3; ++arm)
    EXPECT_EQ(propensity_of(p, arm, 1, Flags{1, 1, 1}), p[arm]);
}

TEST(Propensity, OfTheBaselineIsExactlyOneWhereNothingIsAdmitted) {
  const Distribution p({0.1, 0.2, 0.3, 0.4}, 3);
  EXPECT_EQ(propensity_of(p, 1, 1, Flags{0, 0, 0, 0}), 1.0);
}

TEST(Propensity, OfTheBaselineCollectsEveryRefusedDraw) {
  const Distribution p({0.2, 0.3, 0.5}, 2);
  EXPECT_DOUBLE_EQ(propensity_of(p, 0, 0, Flags{1, 1, 0}), 0.7);
  EXPECT_DOUBLE_EQ(propensity_of(p, 0, 0, Flags{0, 1, 0}), 0.7);  // its own draw ends there anyway
  EXPECT_DOUBLE_EQ(propensity_of(p, 1, 0, Flags{1, 1, 0}), 0.3);
}

TEST(Propensity, OfOneVerdictIsThatOfTheSameVerdictForEveryArm) {
  const Distribution p({0.1, 0.2, 0.3, 0.4}, 3);
  for (ArmIndex arm = 0; arm < 4; ++arm) {
    for (ArmIndex baseline = 0; baseline < 4; ++baseline) {
      EXPECT_EQ(propensity_of(p, arm, Choice::kExplore),
                propensity_of(p, arm, baseline, Flags{1, 1, 1, 1}));
    }
    EXPECT_EQ(propensity_of(p, arm, Choice::kBaseline),
              propensity_of(p, arm, arm, Flags{0, 0, 0, 0}));
  }
}

TEST(Propensity, SumsToOneOverTheArmsThatCanBePlayed) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    const auto arm_count = static_cast<ArmIndex>(1 + stream.below(10));
    const Distribution p = Distribution::uniform(arm_count, {});
    const auto baseline = static_cast<ArmIndex>(stream.below(arm_count));
    Flags admitted(arm_count);
    for (auto& flag : admitted) flag = stream.uniform() < 0.5 ? 1 : 0;
    double sum = 0.0;
    for (ArmIndex arm = 0; arm < arm_count; ++arm) {
      if (arm == baseline || admitted[arm] != 0) sum += propensity_of(p, arm, baseline, admitted);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(PropensityDeathTest, StopsAtAnArmThatCouldNotHaveBeenPlayed) {
  const Distribution p({0.5, 0.5}, 0);
  EXPECT_DEATH(propensity_of(p, 1, 0, Flags{1, 0}), "broken promise");
}

TEST(Propensity, OfAnArmMovesTowardTheBaselineByTheFloor) {
  EXPECT_EQ(chance_with_floor(0.5, 0.25, false), 0.375);
  EXPECT_EQ(chance_with_floor(0.5, 0.25, true), 0.625);
  EXPECT_EQ(chance_with_floor(0.3, 0.0, true), 0.3);
}

}  // namespace
}  // namespace handrail
