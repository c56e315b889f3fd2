// Numbers that will be read soon, and are probably far away.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "handrail/base/aligned_bytes.h"

namespace handrail {

// Asks for all of them at once, where a processor that reads in order finds each next page late. No
// more than half of a first-level cache: what is asked for beyond that drives itself out.
inline void prefetch(std::span<const double> numbers) {
  constexpr std::size_t kMost = (std::size_t{1} << 14) / sizeof(double);
  constexpr std::size_t kStep = kCacheLine / sizeof(double);
  const std::size_t count = std::min(numbers.size(), kMost);
  for (std::size_t i = 0; i < count; i += kStep) __builtin_prefetch(numbers.data() + i);
}

}  // namespace handrail
