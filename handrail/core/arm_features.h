// What is known of the arms of one round, in one of two shapes:
//   rows   one row of d numbers for each of K arms;
//   block  one shared row of d numbers that arm k sees in block k of K. This is the paper's
//          dK-dimensional encoding, never materialised: that would cost K times the memory and
//          time.
// Only this file and the oracles care which shape it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "handrail/base/assert.h"

namespace handrail {

using ArmIndex = std::uint32_t;

enum class FeatureShape : std::uint8_t { kRows = 0, kBlock = 1 };

// The part of the shape that a learner is built for. With rows the number of arms may change from
// round to round, and there is one block; with block features there is one block an arm.
struct FeatureLayout {
  FeatureShape shape = FeatureShape::kRows;
  std::size_t feature_count = 0;
  std::size_t block_count = 1;

  friend bool operator==(const FeatureLayout&, const FeatureLayout&) = default;
};

// One arm as a learner sees it: its numbers, and the block of the parameters that they meet.
struct ArmView {
  std::span<const double> features;
  std::size_t block = 0;
};

// A view: the numbers stay the caller's and must outlive it.
class ArmFeatures {
 public:
  // `values` holds the arms' rows one after the other. Round::make() refuses what does not divide
  // into rows, and rows without features.
  static ArmFeatures rows(std::span<const double> values, std::size_t feature_count);
  static ArmFeatures block(std::span<const double> shared_row, std::size_t arm_count);

  std::size_t arm_count() const { return arm_count_; }
  std::size_t feature_count() const { return feature_count_; }
  FeatureShape shape() const { return shape_; }
  FeatureLayout layout() const {
    const std::size_t block_count = shape_ == FeatureShape::kBlock ? arm_count_ : 1;
    return {.shape = shape_, .feature_count = feature_count_, .block_count = block_count};
  }
  std::span<const double> values() const { return values_; }
  ArmView arm(ArmIndex index) const {
    HANDRAIL_ASSERT(index < arm_count_);
    if (shape_ == FeatureShape::kBlock) return {.features = values_, .block = index};
    return {.features = values_.subspan(index * feature_count_, feature_count_), .block = 0};
  }

 private:
  ArmFeatures(std::span<const double> values, std::size_t arm_count, std::size_t feature_count,
              FeatureShape shape);

  std::span<const double> values_;
  std::size_t arm_count_;
  std::size_t feature_count_;
  FeatureShape shape_;
};

// "rows of 11 features" or "10 blocks of 784 features".
std::string describe(const FeatureLayout& layout);

}  // namespace handrail
