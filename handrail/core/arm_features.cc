#include "handrail/core/arm_features.h"

namespace handrail {

ArmFeatures::ArmFeatures(std::span<const double> values, std::size_t arm_count,
                         std::size_t feature_count, FeatureShape shape)
    : values_(values), arm_count_(arm_count), feature_count_(feature_count), shape_(shape) {}

ArmFeatures ArmFeatures::rows(std::span<const double> values, std::size_t feature_count) {
  const std::size_t arm_count = feature_count == 0 ? 0 : values.size() / feature_count;
  return {values, arm_count, feature_count, FeatureShape::kRows};
}

ArmFeatures ArmFeatures::block(std::span<const double> shared_row, std::size_t arm_count) {
  return {shared_row, arm_count, shared_row.size(), FeatureShape::kBlock};
}

std::string describe(const FeatureLayout& layout) {
  const std::string features = std::to_string(layout.feature_count) + " features";
  if (layout.shape == FeatureShape::kRows) return "rows of " + features;
  return std::to_string(layout.block_count) + " blocks of " + features;
}

}  // namespace handrail
