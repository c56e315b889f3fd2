// Memory of the caller's, for searches that look at a few arms at a time: so that they are const
// and need no allocation once it has grown.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "handrail/core/arm_features.h"

namespace handrail {

// A factor of a product changes to another choice.
struct SearchStep {
  double at = 0.0;
  std::size_t order = 0;  // among steps at the same place
  std::size_t factor = 0;
  std::size_t choice = 0;
};

// Contents mean nothing between calls.
struct SearchMemory {
  std::vector<double> rows;
  std::vector<double> costs;
  std::vector<double> numbers;
  std::vector<double> matrix;
  std::vector<double> direction;
  std::vector<std::size_t> choices;
  std::vector<SearchStep> steps;
  std::vector<ArmIndex> arms;
  std::vector<std::optional<ArmIndex>> slots;
};

}  // namespace handrail
