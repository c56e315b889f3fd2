// What the kernels in single precision share: the vector, and columns that are kept in registers.
// Included once for each instruction set, hence the guard that turns with the set instead of a
// `pragma once`.
#if defined(HANDRAIL_ORACLE_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HANDRAIL_ORACLE_KERNELS_VECTORS_INL_H_
#undef HANDRAIL_ORACLE_KERNELS_VECTORS_INL_H_
#else
#define HANDRAIL_ORACLE_KERNELS_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);

// One row of 100 units fits in the registers of AVX2 at once: 13 vectors, and one for the input.
constexpr std::size_t kMaxVectors = 13;

constexpr std::size_t vectors_in(std::size_t count) {
  return (count + kLanes - 1) / kLanes;
}

// The first lanes of a vector, the others 0.
HWY_INLINE Vector keep_first(Vector vector, std::size_t count) {
  return count >= kLanes ? vector : hn::IfThenElseZero(hn::FirstN(kTag, count), vector);
}

// Calls Body::run<N>(arguments…) for N = count, from 1 to kMaxVectors.
template <typename Body, std::size_t N = 1, typename... Arguments>
HWY_INLINE auto with_vectors(std::size_t count, const Arguments&... arguments) {
  if constexpr (N < kMaxVectors) {
    if (count != N) return with_vectors<Body, N + 1>(count, arguments...);
  }
  return Body::template run<N>(arguments...);
}

// A stretch of columns that is kept in registers.
struct Columns {
  std::size_t first;
  std::size_t count;
};

// Calls Body::run<N>(columns, arguments…) for stretches that cover `width` columns.
template <typename Body, typename... Arguments>
HWY_INLINE void for_columns(std::size_t width, const Arguments&... arguments) {
  constexpr std::size_t kMost = kMaxVectors * kLanes;
  for (std::size_t first = 0; first < width; first += kMost) {
    const Columns columns{first, std::min(kMost, width - first)};
    with_vectors<Body>(vectors_in(columns.count), columns, arguments...);
  }
}

// The numbers from `start` on; zeros if it is null.
template <std::size_t N>
HWY_INLINE void load_start(const float* start, Vector (&sums)[N]) {
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) {
    sums[v] = start == nullptr ? hn::Zero(kTag) : hn::LoadU(kTag, start + v * kLanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#endif
