#include "handrail/core/round.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "handrail/base/lane_sum.h"
#include "handrail/base/prefetch.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

// Zero times a number is zero, unless that is infinite or NaN, and then the sum is NaN.
bool all_finite(std::span<const double> values) {
  prefetch(values);  // a round's numbers are often met here for the first time
  const double* const all = values.data();
  return lane_sum(values.size(), [all](std::size_t i) { return 0.0 * all[i]; }) == 0.0;
}

// "arm 2, ", "factor 1, choice 2, " or nothing: whose the number at this place is, and what is left
// of the place.
std::string owner_of(const ArmFeatures& features, std::size_t& place) {
  if (features.shape() == FeatureShape::kBlock) return {};
  if (features.shape() == FeatureShape::kRows) {
    const std::size_t arm = place / features.feature_count();
    place %= features.feature_count();
    return "arm " + std::to_string(arm) + ", ";
  }
  std::size_t f = 0;
  for (; place >= features.factors()[f].choice_count * features.factors()[f].feature_count; ++f) {
    place -= features.factors()[f].choice_count * features.factors()[f].feature_count;
  }
  const std::size_t choice = place / features.factors()[f].feature_count;
  place %= features.factors()[f].feature_count;
  return "factor " + std::to_string(f) + ", choice " + std::to_string(choice) + ", ";
}

// The numbers that a round came with. In a list they are those of its groups.
std::span<const double> numbers_of(const ArmFeatures& features) {
  return features.is_list() ? features.listed()->view().numbers() : features.values();
}

// About features that are not all finite.
Error not_finite(const ArmFeatures& features) {
  const std::span<const double> values = numbers_of(features);
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto found = std::find_if_not(values.begin(), values.end(), finite);
  HANDRAIL_ASSERT(found != values.end());
  auto place = static_cast<std::size_t>(found - values.begin());
  if (features.is_list()) {
    place = features.listed()->view().offsets[place / kGroupSize] + place % kGroupSize;
  }
  const std::string owner = owner_of(features, place);
  return Error{owner + "feature " + std::to_string(place) + " is " + to_text(*found) +
               "; a finite number was expected"};
}

// Whether there are as many numbers as the shape needs.
Status check_numbers(const ArmFeatures& features) {
  if (features.feature_count() == 0) return Error{"an arm has 0 features; at least 1 was expected"};
  if (features.is_list()) return {};
  const std::size_t given = features.values().size();
  if (features.shape() != FeatureShape::kProduct) {
    const std::size_t rows = features.shape() == FeatureShape::kRows ? features.arm_count() : 1;
    if (rows * features.feature_count() == given) return {};
    return Error{std::to_string(given) + " numbers do not divide into rows of " +
                 std::to_string(features.feature_count())};
  }
  std::size_t left = given;
  for (std::size_t f = 0; f < features.factors().size(); ++f) {
    const auto [choice_count, row_size] = features.factors()[f];
    if (choice_count > 0 && row_size > left / choice_count) {
      return Error{"the numbers end within factor " + std::to_string(f) + ", which has " +
                   std::to_string(choice_count) + " choices of " + std::to_string(row_size) +
                   " features"};
    }
    left -= choice_count * row_size;
  }
  if (left == 0) return {};
  return Error{std::to_string(left) + " of " + std::to_string(given) +
               " numbers are beyond the last factor"};
}

}  // namespace

std::string_view to_text(BaselineKnown known) {
  return kBaselineKnownWords[static_cast<std::size_t>(known)];
}

std::optional<BaselineKnown> to_baseline_known(std::string_view word) {
  const auto* const found = std::ranges::find(kBaselineKnownWords, word);
  if (found == kBaselineKnownWords.end()) return std::nullopt;
  return static_cast<BaselineKnown>(found - kBaselineKnownWords.begin());
}

Status check_cost(double cost, std::string_view what) {
  if (is_cost(cost)) return {};
  return Error{std::string(what) + " is " + to_text(cost) + "; a number in [0, 1] was expected"};
}

Status Round::check(const ArmFeatures& features, const Baseline& baseline) {
  if (Status numbers = check_numbers(features); !numbers.ok()) return numbers;
  if (features.arm_count() == 0) return Error{"a round has 0 arms; at least 1 was expected"};
  if (features.arm_count() > std::numeric_limits<ArmIndex>::max()) {
    return Error{"a round has " + std::to_string(features.arm_count()) +
                 " arms; at most 2^32 - 1 fit"};
  }
  if (baseline.arm >= features.arm_count()) {
    return Error{"the baseline arm is " + std::to_string(baseline.arm) + "; with " +
                 std::to_string(features.arm_count()) +
                 " arms, counted from 0, it must be below that"};
  }
  if (!is_cost(baseline.cost)) return check_cost(baseline.cost, "the baseline cost");
  if (!all_finite(numbers_of(features))) return not_finite(features);
  return {};
}

}  // namespace handrail
