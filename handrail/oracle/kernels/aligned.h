// Arrays that begin where a cache line begins, so that no vector of a padded row lies across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "handrail/base/aligned_bytes.h"

namespace handrail {

// Where rows begin that are read as columns, in numbers, or at multiples of it: kernels read them
// in the widest vectors that begin where all rows do.
inline constexpr std::size_t kColumnAlignment = 8;

template <typename T>
struct CacheLineAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): the library's word
  static constexpr std::align_val_t kLine{kCacheLine};

  CacheLineAllocator() = default;
  template <typename Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, kLine); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) = default;
};

template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;
using AlignedDoubles = AlignedVector<double>;
using AlignedFloats = AlignedVector<float>;

}  // namespace handrail
