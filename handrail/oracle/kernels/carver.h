// How a kernel's scratch memory is divided.
#pragma once

#include <cstddef>

#include "handrail/base/aligned_bytes.h"
#include "handrail/oracle/kernels/layer_kernels.h"

namespace handrail {

// Cuts pieces off a stretch of memory, each on a cache line. Without memory it only adds them up.
class Carver {
 public:
  explicit Carver(std::byte* memory) : memory_(memory) {}

  template <typename T>
  T* take(std::size_t count) {
    // A kernel may read and write whole vectors up to the end of the last row.
    const std::size_t size = round_up(count * sizeof(T), kCacheLine);
    std::byte* const piece = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += size;
    return reinterpret_cast<T*>(piece);
  }

  // One pointer an example to `length` numbers each.
  float** rows(std::size_t count, std::size_t length) {
    float** const rows = take<float*>(count);
    float* const numbers = take<float>(count * padded(length));
    for (std::size_t b = 0; memory_ != nullptr && b < count; ++b) {
      rows[b] = numbers + b * padded(length);
    }
    return rows;
  }

  std::size_t used() const { return used_; }

 private:
  std::byte* memory_;
  std::size_t used_ = 0;
};

// What `cut` takes out of `memory`, which grows to what that needs. `cut` is called twice, first
// only to add up.
template <typename Cut>
auto carve(AlignedBytes& memory, Cut cut) {
  Carver sizes(nullptr);
  cut(sizes);
  Carver carver(memory.at_least(sizes.used()));
  return cut(carver);
}

}  // namespace handrail
