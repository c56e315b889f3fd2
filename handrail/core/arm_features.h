// What is known of the arms of one round, in one of three shapes:
//   rows     one row of d numbers for each of K arms;
//   block    one shared row of d numbers that arm k sees in block k of K. This is the paper's
//            dK-dimensional encoding, never materialised: that would cost K times the memory and
//            time. A long row of mostly zeros may come as a list of what is in it;
//   product  an arm is one choice in each of several factors, and its d numbers are the rows of its
//            choices side by side. Five factors of ten choices are 100,000 arms and fifty rows, so
//            nobody may go over all arms.
// Only this file, the oracles and the policies that search among product arms care which shape it
// is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/core/sparse_row.h"

namespace handrail {

using ArmIndex = std::uint32_t;

// The values are part of every saved agent.
enum class FeatureShape : std::uint8_t { kRows = 0, kBlock = 1, kProduct = 2 };

// The part of the shape that a learner is built for. With rows the number of arms may change from
// round to round, and there is one block; so it is with products, whose factors may change as long
// as an arm has d numbers; with block features there is one block an arm.
struct FeatureLayout {
  FeatureShape shape = FeatureShape::kRows;
  std::size_t feature_count = 0;
  std::size_t block_count = 1;

  friend bool operator==(const FeatureLayout&, const FeatureLayout&) = default;
};

// How learners meet the arms of a layout: those of a product one by one, in rows.
FeatureLayout learned_layout(const FeatureLayout& layout);

// One factor of a product: each of its choices has a row of `feature_count` numbers.
struct Factor {
  std::size_t choice_count = 0;
  std::size_t feature_count = 0;

  friend bool operator==(const Factor&, const Factor&) = default;
};

// From an arm of a product to its choices, one a factor, and back.
void choices_of(std::span<const Factor> factors, ArmIndex arm, std::span<std::size_t> choices);
ArmIndex arm_of(std::span<const Factor> factors, std::span<const std::size_t> choices);

// One arm as a learner sees it: its numbers, and the block of the parameters that they meet.
struct ArmView {
  std::span<const double> features;  // none where there is only a list of them
  std::size_t block = 0;
  const SparseRow* listed = nullptr;  // the same numbers, if somebody listed them
};

// A view: the numbers stay the caller's and must outlive it.
class ArmFeatures {
 public:
  // `values` holds the arms' rows one after the other. Round::make() refuses what does not divide
  // into rows, and rows without features.
  static ArmFeatures rows(std::span<const double> values, std::size_t feature_count);
  static ArmFeatures block(std::span<const double> shared_row, std::size_t arm_count) {
    return {shared_row, arm_count, shared_row.size(), FeatureShape::kBlock};
  }
  // The same, of a row that is there as a list only.
  static ArmFeatures sparse_block(const SparseRow& shared_row, std::size_t arm_count);
  // `values` holds the rows of the first factor's choices one after the other, then those of the
  // next. Arms count like numbers whose digits are the choices, the last factor's counting ones:
  // of 2 × 3 choices, arm 4 is choice 1 of the first factor and choice 1 of the second.
  static ArmFeatures product(std::span<const double> values, std::span<const Factor> factors);

  std::size_t arm_count() const { return arm_count_; }
  std::size_t feature_count() const { return feature_count_; }
  FeatureShape shape() const { return shape_; }
  FeatureLayout layout() const {
    const std::size_t block_count = shape_ == FeatureShape::kBlock ? arm_count_ : 1;
    return {.shape = shape_, .feature_count = feature_count_, .block_count = block_count};
  }
  std::span<const double> values() const { return values_; }    // none if is_list()
  std::span<const Factor> factors() const { return factors_; }  // none but of a product
  // The shared row's numbers again, for those who go over what is not 0: null if nobody listed
  // them.
  const SparseRow* listed() const { return listed_; }
  // Whether the list is all there is.
  bool is_list() const { return listed_ != nullptr && values_.empty(); }
  // The same block features with what SparseRow::list() made of their row, which must outlive
  // these.
  ArmFeatures with_list(const SparseRow& listed) const {
    HANDRAIL_ASSERT(shape_ == FeatureShape::kBlock && listed.row() == values_.data() &&
                    listed.row_size() == feature_count_);
    ArmFeatures features = *this;
    features.listed_ = &listed;
    return features;
  }
  // Not of a product, whose arms lie nowhere as they are.
  ArmView arm(ArmIndex index) const {
    HANDRAIL_ASSERT(index < arm_count_ && shape_ != FeatureShape::kProduct);
    if (shape_ == FeatureShape::kBlock) {
      return {.features = values_, .block = index, .listed = listed_};
    }
    return {.features = values_.subspan(index * feature_count_, feature_count_), .block = 0};
  }
  // The same for every shape: the arms of a product are put together in `memory`, and viewed there.
  ArmView arm(ArmIndex index, std::vector<double>& memory) const {
    return shape_ == FeatureShape::kProduct ? product_arm(index, memory) : arm(index);
  }
  // Writes the numbers of an arm, feature_count() of them.
  void copy_arm(ArmIndex index, std::span<double> out) const;

 private:
  ArmFeatures(std::span<const double> values, std::size_t arm_count, std::size_t feature_count,
              FeatureShape shape)
      : values_(values), arm_count_(arm_count), feature_count_(feature_count), shape_(shape) {}

  ArmView product_arm(ArmIndex index, std::vector<double>& memory) const;

  std::span<const double> values_;
  std::span<const Factor> factors_;
  std::size_t arm_count_;
  std::size_t feature_count_;
  const SparseRow* listed_ = nullptr;
  FeatureShape shape_;
};

// "rows of 11 features", "10 blocks of 784 features" or "products of 21 features".
std::string describe(const FeatureLayout& layout);

}  // namespace handrail
