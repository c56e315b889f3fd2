// Σ a[i] b[i], one term after the other. That order, and so its bits, is part of recorded runs;
// oracle/dense.h has dot(), which adds in eight lanes and is faster for long arrays.
#pragma once

#include <cstddef>
#include <span>

#include "handrail/base/assert.h"

namespace handrail {

// Of equal lengths.
inline double inner_product(std::span<const double> a, std::span<const double> b) {
  HANDRAIL_ASSERT(a.size() == b.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace handrail
