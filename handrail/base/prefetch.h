// Numbers that will be read soon, and are probably far away.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "handrail/base/aligned_bytes.h"

namespace handrail {

// Asks for all of them at once, where a processor that reads in order finds each next page late.
// Into the second-level cache, which can wait for more lines at a time than the first; and no more
// than a small part of it.
inline void prefetch(std::span<const double> numbers) {
  constexpr std::size_t kMost = (std::size_t{1} << 14) / sizeof(double);
  constexpr std::size_t kStep = kCacheLine / sizeof(double);
  const std::size_t count = std::min(numbers.size(), kMost);
  constexpr int kToRead = 0;
  constexpr int kSecondLevel = 2;
  for (std::size_t i = 0; i < count; i += kStep) {
    __builtin_prefetch(numbers.data() + i, kToRead, kSecondLevel);
  }
}

}  // namespace handrail
