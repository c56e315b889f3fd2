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

#include "handrail/oracle/optimizer.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);

constexpr std::size_t vectors_in(std::size_t count) {
  return (count + kLanes - 1) / kLanes;
}

// The first lanes of a vector, the others 0.
HWY_INLINE Vector keep_first(Vector vector, std::size_t count) {
  return count >= kLanes ? vector : hn::IfThenElseZero(hn::FirstN(kTag, count), vector);
}

// A stretch of columns that is kept in registers: at most 13 vectors, a row of 100 units with AVX2,
// which leaves a register for the input.
struct Columns {
  std::size_t first;
  std::size_t count;
};

// Calls Body::run<N>(columns, arguments…) for stretches that cover `width` columns, the widest that
// fit first. Few widths, since each is compiled for every kernel and instruction set.
template <typename Body, typename... Arguments>
HWY_INLINE void for_columns(std::size_t width, const Arguments&... arguments) {
  for (std::size_t first = 0; first < width;) {
    const std::size_t left = vectors_in(width - first);
    const std::size_t vectors = left >= 13 ? 13 : left >= 6 ? 6 : left >= 3 ? 3 : 1;
    const Columns columns{first, std::min(vectors * kLanes, width - first)};
    switch (vectors) {
      case 13:
        Body::template run<13>(columns, arguments...);
        break;
      case 6:
        Body::template run<6>(columns, arguments...);
        break;
      case 3:
        Body::template run<3>(columns, arguments...);
        break;
      default:
        Body::template run<1>(columns, arguments...);
    }
    first += columns.count;
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

// One step of adagrad_step() on a vector of parameters, with an exact root and division: estimates
// of those differ from processor to processor. Where the squares overflow, the step is 0.
struct AdaGradVectors {
  Vector sums;
  Vector target;
};

HWY_INLINE AdaGradVectors adagrad_vector(Vector rate, Vector gradient, const AdaGradVectors& old) {
  const Vector sums = hn::MulAdd(gradient, gradient, old.sums);
  const Vector small = hn::Set(kTag, static_cast<float>(kAdaGradNoDivisionByZero));
  const Vector step = hn::Div(hn::Mul(rate, gradient), hn::Add(hn::Sqrt(sums), small));
  return {sums, hn::Sub(old.target, step)};
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#endif
