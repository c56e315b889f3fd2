#include "handrail/env/environment.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

EnvironmentRound two_arms() {
  return {.t = 7,
          .arm_count = 2,
          .features = {1, 2, 3, 4},
          .baseline = {.arm = 1, .cost = 0.25},
          .expected_costs = {0.5, 0.25}};
}

TEST(RoundOf, ShowsRowsAndTheBaseline) {
  const EnvironmentRound hidden = two_arms();
  const Round shown = round_of(hidden, {FeatureShape::kRows, 2, 1});
  EXPECT_EQ(shown.arm_count(), 2u);
  EXPECT_EQ(shown.baseline().arm, 1u);
  EXPECT_EQ(shown.baseline().cost, 0.25);
  EXPECT_EQ(shown.features().values().data(), hidden.features.data());  // seen, not copied
  EXPECT_EQ(shown.features().arm(1).features[0], 3);
}

TEST(RoundOf, ShowsOneSharedRowInABlockAnArm) {
  const EnvironmentRound hidden = two_arms();
  const Round shown = round_of(hidden, {FeatureShape::kBlock, 4, 2});
  EXPECT_EQ(shown.arm_count(), 2u);
  EXPECT_EQ(shown.features().arm(1).block, 1u);
  EXPECT_EQ(shown.features().arm(1).features.size(), 4u);
}

TEST(RoundOfDeathTest, StopsAtRoundsThatBreakTheirOwnLayout) {
  const EnvironmentRound hidden = two_arms();
  EXPECT_DEATH(static_cast<void>(round_of(hidden, {FeatureShape::kRows, 4, 1})), "broken promise");
  EXPECT_DEATH(static_cast<void>(round_of(hidden, {FeatureShape::kBlock, 2, 2})), "broken promise");
  EnvironmentRound dear = two_arms();
  dear.baseline.cost = 1.5;
  EXPECT_DEATH(static_cast<void>(round_of(dear, {FeatureShape::kRows, 2, 1})), "broken promise");
}

}  // namespace
}  // namespace handrail
