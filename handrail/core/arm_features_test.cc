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

// 2 × 3 × 2 choices with 1, 2 and 1 features: written out by hand, arm by arm.
TEST(ArmFeatures, AProductIsTheRowsOfItsChoicesSideBySide) {
  const std::vector<Factor> factors = {{2, 1}, {3, 2}, {2, 1}};
  const std::vector<double> values = {1, 2, 11, 12, 21, 22, 31, 32, 5, 6};
  const ArmFeatures features = ArmFeatures::product(values, factors);
  const std::vector<std::vector<double>> expected = {
      {1, 11, 12, 5}, {1, 11, 12, 6}, {1, 21, 22, 5}, {1, 21, 22, 6},
      {1, 31, 32, 5}, {1, 31, 32, 6}, {2, 11, 12, 5}, {2, 11, 12, 6},
      {2, 21, 22, 5}, {2, 21, 22, 6}, {2, 31, 32, 5}, {2, 31, 32, 6}};
  ASSERT_EQ(features.arm_count(), expected.size());
  EXPECT_EQ(features.feature_count(), 4u);
  EXPECT_EQ(features.layout(), (FeatureLayout{FeatureShape::kProduct, 4, 1}));
  EXPECT_EQ(learned_layout(features.layout()), (FeatureLayout{FeatureShape::kRows, 4, 1}));
  EXPECT_EQ(describe(features.layout()), "products of 4 features");
  std::vector<double> memory;
  std::vector<std::size_t> choices(3);
  for (ArmIndex arm = 0; arm < expected.size(); ++arm) {
    const ArmView view = features.arm(arm, memory);
    EXPECT_EQ(std::vector(view.features.begin(), view.features.end()), expected[arm]);
    EXPECT_EQ(view.block, 0u);
    choices_of(factors, arm, choices);
    EXPECT_EQ(choices, (std::vector<std::size_t>{arm / 6u, arm / 2u % 3u, arm % 2u}));
    EXPECT_EQ(arm_of(factors, choices), arm);
  }
}

TEST(ArmFeatures, AnArmOfAnyShapeCanBeViewedAndCopied) {
  const std::vector<double> values = {1, 2, 3, 4};
  std::vector<double> memory;
  std::vector<double> copy(2);
  const ArmFeatures rows = ArmFeatures::rows(values, 2);
  EXPECT_EQ(rows.arm(1, memory).features.data(), values.data() + 2);  // seen, not copied
  EXPECT_TRUE(memory.empty());
  rows.copy_arm(1, copy);
  EXPECT_EQ(copy, (std::vector<double>{3, 4}));
  const ArmFeatures block = ArmFeatures::block(std::span(values).first(2), 5);
  EXPECT_EQ(block.arm(3, memory).block, 3u);
  block.copy_arm(3, copy);
  EXPECT_EQ(copy, (std::vector<double>{1, 2}));
}

TEST(ArmFeaturesDeathTest, StopsAtArmsThatAreNotThere) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_DEATH(static_cast<void>(ArmFeatures::rows(values, 2).arm(2)), "broken promise");
}

}  // namespace
}  // namespace handrail
