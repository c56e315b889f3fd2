#include "handrail/core/arm_features.h"

#include <algorithm>
#include <limits>

namespace handrail {

ArmFeatures ArmFeatures::rows(std::span<const double> values, std::size_t feature_count) {
  const std::size_t arm_count = feature_count == 0 ? 0 : values.size() / feature_count;
  return {values, arm_count, feature_count, FeatureShape::kRows};
}

ArmFeatures ArmFeatures::sparse_block(const SparseRow& shared_row, std::size_t arm_count) {
  ArmFeatures features({}, arm_count, shared_row.row_size(), FeatureShape::kBlock);
  features.listed_ = &shared_row;
  return features;
}

// A count that does not fit becomes the largest one, which Round::make() refuses.
ArmFeatures ArmFeatures::product(std::span<const double> values, std::span<const Factor> factors) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  std::size_t arm_count = factors.empty() ? 0 : 1;
  std::size_t feature_count = 0;
  for (const Factor& factor : factors) {
    const std::size_t n = factor.choice_count;
    arm_count = n > 0 && arm_count > kMost / n ? kMost : arm_count * n;
    feature_count += factor.feature_count;
  }
  ArmFeatures features(values, arm_count, feature_count, FeatureShape::kProduct);
  features.factors_ = factors;
  return features;
}

ArmView ArmFeatures::product_arm(ArmIndex index, std::vector<double>& memory) const {
  memory.resize(feature_count_);
  copy_arm(index, memory);
  return {.features = memory, .block = 0};
}

void ArmFeatures::copy_arm(ArmIndex index, std::span<double> out) const {
  HANDRAIL_ASSERT(index < arm_count_ && out.size() == feature_count_);
  if (is_list()) return listed_->write_row(out);
  if (shape_ != FeatureShape::kProduct) {
    std::ranges::copy(arm(index).features, out.begin());
    return;
  }
  // The digits come last first, so both ends move towards the front.
  std::size_t digits = index;
  std::size_t row_end = values_.size();
  std::size_t out_end = out.size();
  for (std::size_t f = factors_.size(); f-- > 0;) {
    const auto [choice_count, row_size] = factors_[f];
    const std::size_t table = row_end - choice_count * row_size;
    const auto row = values_.subspan(table + digits % choice_count * row_size, row_size);
    out_end -= row_size;
    std::ranges::copy(row, out.subspan(out_end).begin());
    digits /= choice_count;
    row_end = table;
  }
}

void choices_of(std::span<const Factor> factors, ArmIndex arm, std::span<std::size_t> choices) {
  std::size_t digits = arm;
  for (std::size_t f = factors.size(); f-- > 0; digits /= factors[f].choice_count) {
    choices[f] = digits % factors[f].choice_count;
  }
}

ArmIndex arm_of(std::span<const Factor> factors, std::span<const std::size_t> choices) {
  std::size_t arm = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    arm = arm * factors[f].choice_count + choices[f];
  }
  return static_cast<ArmIndex>(arm);
}

FeatureLayout learned_layout(const FeatureLayout& layout) {
  if (layout.shape != FeatureShape::kProduct) return layout;
  return {.shape = FeatureShape::kRows, .feature_count = layout.feature_count, .block_count = 1};
}

std::string describe(const FeatureLayout& layout) {
  const std::string features = std::to_string(layout.feature_count) + " features";
  if (layout.shape == FeatureShape::kRows) return "rows of " + features;
  if (layout.shape == FeatureShape::kProduct) return "products of " + features;
  return std::to_string(layout.block_count) + " blocks of " + features;
}

}  // namespace handrail
