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

#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/optimizer.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);

// For rows of weights that begin at multiples of kColumnAlignment only: every second wider vector
// would lie across two cache lines.
using ColumnTag = hn::CappedTag<float, kColumnAlignment>;
using ColumnVector = hn::Vec<ColumnTag>;
constexpr ColumnTag kColumnTag;
constexpr std::size_t kColumnLanes = hn::MaxLanes(kColumnTag);

// Of the vectors of a tag.
template <typename D>
constexpr std::size_t kLanesOf = hn::MaxLanes(D());

// The first lanes of a vector, the others 0.
template <typename V>
HWY_INLINE V keep_first(V vector, std::size_t count) {
  constexpr hn::DFromV<V> kTagOfIt;
  return count >= hn::MaxLanes(kTagOfIt) ? vector
                                         : hn::IfThenElseZero(hn::FirstN(kTagOfIt, count), vector);
}

// What is below the floor becomes it. What is not a number stays so: the processor's maximum is its
// second operand where either is none. Without vectors it may be a healthy 0.
template <typename V>
HWY_INLINE V at_least(V floor, V numbers) {
  if (HWY_TARGET != HWY_SCALAR) return hn::Max(floor, numbers);
  return hn::IfThenElse(hn::Lt(numbers, floor), floor, numbers);
}

template <typename V>
HWY_INLINE V positive_part(V sums) {
  return at_least(hn::Zero(hn::DFromV<V>()), sums);
}

// A stretch of columns that is kept in registers.
struct Columns {
  std::size_t first;
  std::size_t count;
};

// How many vectors a stretch may have, the widest first. Few of them, since each is compiled for
// every kernel and instruction set. With 16 registers 13 vectors, a row of 100 units with AVX2,
// leave room for the input.
template <std::size_t... N>
struct StretchWidths {};
#if HWY_TARGET == HWY_AVX3
using Widths = StretchWidths<16, 13, 6, 3, 1>;      // of 32 registers
using WholeWidths = StretchWidths<16, 7, 4, 2, 1>;  // of vectors twice as wide
#else
using Widths = StretchWidths<13, 6, 3, 1>;
using WholeWidths = Widths;
#endif

// Calls Body::run<D, N>(columns, arguments…) for the first N that fits, or the last. Returns where
// the stretch ends.
template <typename Body, typename D, std::size_t N, std::size_t... Smaller, typename... Arguments>
HWY_INLINE std::size_t run_stretch(StretchWidths<N, Smaller...> /*widths*/, std::size_t first,
                                   std::size_t width, const Arguments&... arguments) {
  if constexpr (sizeof...(Smaller) > 0) {
    if ((N - 1) * kLanesOf<D> >= width - first) {
      return run_stretch<Body, D>(StretchWidths<Smaller...>(), first, width, arguments...);
    }
  }
  const Columns columns{first, std::min(N * kLanesOf<D>, width - first)};
  Body::template run<D, N>(columns, arguments...);
  return first + columns.count;
}

// Calls Body::run<D, N>(columns, arguments…) for stretches that cover `width` columns, the widest
// that fit first.
template <typename Body, typename D, typename AllWidths, typename... Arguments>
HWY_INLINE void for_stretches(AllWidths widths, std::size_t width, const Arguments&... arguments) {
  for (std::size_t first = 0; first < width;) {
    first = run_stretch<Body, D>(widths, first, width, arguments...);
  }
}

// The same with the widest vector D that begins where rows do that are `stride` apart; a row alone,
// without a stride, begins where any vector does.
template <typename Body, typename... Arguments>
HWY_INLINE void for_columns(std::size_t width, std::size_t stride, const Arguments&... arguments) {
  if constexpr (kLanes > kColumnLanes) {
    if (stride % kLanes == 0) return for_stretches<Body, Tag>(WholeWidths(), width, arguments...);
  }
  for_stretches<Body, ColumnTag>(Widths(), width, arguments...);
}

// A vector of what others may just have written as columns: a wider one would wait for their
// stores.
HWY_INLINE Vector load_columns(const float* from) {
#if HWY_TARGET == HWY_AVX3
  return hn::Combine(kTag, hn::LoadU(kColumnTag, from + kColumnLanes), hn::LoadU(kColumnTag, from));
#else
  return hn::LoadU(kTag, from);
#endif
}

// The numbers from `start` on; zeros if it is null.
template <typename V, std::size_t N>
HWY_INLINE void load_start(const float* start, V (&sums)[N]) {
  constexpr hn::DFromV<V> kTagOfIt;
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) {
    sums[v] = start == nullptr ? hn::Zero(kTagOfIt)
                               : hn::LoadU(kTagOfIt, start + v * hn::MaxLanes(kTagOfIt));
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
