// The arms that a list of numbers speaks of: all arms of a round, in order, or the few that a
// support names. A policy that never goes over all arms says what it has to say of a few.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "handrail/core/arm_features.h"

namespace handrail {

// A support is ascending and names no arm twice; an empty one stands for all arms.
using Support = std::span<const ArmIndex>;

inline bool is_in(Support support, ArmIndex arm) {
  return support.empty() || std::ranges::binary_search(support, arm);
}

// Where in the list an arm's number stands. The list has one.
inline std::size_t place_of(Support support, ArmIndex arm) {
  if (support.empty()) return arm;
  const auto found = std::ranges::lower_bound(support, arm);
  HANDRAIL_ASSERT(found != support.end() && *found == arm);
  return static_cast<std::size_t>(found - support.begin());
}

inline ArmIndex arm_at(Support support, std::size_t place) {
  return support.empty() ? static_cast<ArmIndex>(place) : support[place];
}

// Numbers that are asked for by arm. A view.
class ByArm {
 public:
  ByArm() = default;
  // Not explicit: a list of all arms' numbers is one, as an array is a span.
  ByArm(std::span<const double> numbers,  // NOLINT(google-explicit-constructor)
        Support support = {})
      : numbers_(numbers), support_(support) {}
  ByArm(const std::vector<double>& numbers,  // NOLINT(google-explicit-constructor)
        Support support = {})
      : ByArm(std::span(numbers), support) {}

  bool empty() const { return numbers_.empty(); }
  double operator[](ArmIndex arm) const { return numbers_[place_of(support_, arm)]; }

 private:
  std::span<const double> numbers_;
  Support support_;
};

}  // namespace handrail
