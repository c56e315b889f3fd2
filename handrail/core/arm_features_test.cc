#include "handrail/core/arm_features.h"

#include <gtest/gtest.h>

#include <vector>

namespace handrail {
namespace {

TEST(ArmFeatures, RowsGiveEachArmItsOwnNumbers) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const ArmFeatures features = ArmFeatures::rows(values, 2);
  EXPECT_EQ(features.arm_count(), 3u);
  EXPECT_EQ(features.arm(1).features[0], 3);
  EXPECT_EQ(features.arm(1).features[1], 4);
  EXPECT_EQ(features.arm(1).block, 0u);
  EXPECT_EQ(features.layout(), (FeatureLayout{FeatureShape::kRows, 2, 1}));
  EXPECT_EQ(describe(features.layout()), "rows of 2 features");
}

TEST(ArmFeatures, BlockShowsOneRowInABlockAnArm) {
  const std::vector<double> row = {1, 2};
  const ArmFeatures features = ArmFeatures::block(row, 3);
  EXPECT_EQ(features.arm_count(), 3u);
  EXPECT_EQ(features.arm(2).features.data(), row.data());  // seen, not copied
  EXPECT_EQ(features.arm(2).block, 2u);
  EXPECT_EQ(features.layout(), (FeatureLayout{FeatureShape::kBlock, 2, 3}));
  EXPECT_EQ(describe(features.layout()), "3 blocks of 2 features");
}

TEST(ArmFeaturesDeathTest, StopsAtArmsThatAreNotThere) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_DEATH(static_cast<void>(ArmFeatures::rows(values, 2).arm(2)), "broken promise");
}

}  // namespace
}  // namespace handrail
