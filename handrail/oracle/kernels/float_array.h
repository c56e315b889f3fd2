// Numbers in single precision that begin on a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "handrail/base/aligned_bytes.h"

namespace handrail {

template <typename Number>
struct CacheLineAllocator {
  using value_type = Number;

  CacheLineAllocator() = default;
  template <typename Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>& /*other*/) {}

  Number* allocate(std::size_t count) {
    return static_cast<Number*>(
        ::operator new (count * sizeof(Number), std::align_val_t{kCacheLine}));
  }
  void deallocate(Number* numbers, std::size_t /*count*/) {
    ::operator delete (numbers, std::align_val_t{kCacheLine});
  }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

using FloatArray = std::vector<float, CacheLineAllocator<float>>;

}  // namespace handrail
