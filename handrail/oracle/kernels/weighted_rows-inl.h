// How kernels add up rows of weights in registers, as many columns at a time as fit. Included once
// for each instruction set, as vectors-inl.h is.
#if defined(HANDRAIL_ORACLE_KERNELS_WEIGHTED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HANDRAIL_ORACLE_KERNELS_WEIGHTED_ROWS_INL_H_
#undef HANDRAIL_ORACLE_KERNELS_WEIGHTED_ROWS_INL_H_
#else
#define HANDRAIL_ORACLE_KERNELS_WEIGHTED_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>

#include "handrail/oracle/kernels/layer_kernels.h"
#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {

// What is read ahead of need: nothing, or the row of weights that comes `kRows` later.
struct NoLookAhead {
  HWY_INLINE void at(std::size_t /*n*/) const {}
};

template <std::size_t COLUMNS>
struct LookAhead {
  static constexpr std::size_t kRows = 16;
  static constexpr std::size_t kColumnsPerLine = kCacheLine / sizeof(float);
  const RowEntries& row;
  const float* weights;
  const float* next;  // what is read after these weights
  std::size_t stride;

  HWY_INLINE void at(std::size_t n) const {
    if (row.count < kRows) return;
    const bool is_here = n + kRows < row.count;
    const std::size_t later = is_here ? n + kRows : n + kRows - row.count;
    const float* from = (is_here ? weights : next) + row.indices[later] * stride;
    __asm__("" : "+r"(from));
#pragma GCC unroll 16
    for (std::size_t j = 0; j < COLUMNS; j += kColumnsPerLine) __builtin_prefetch(from + j);
  }
};

template <typename V, std::size_t N>
HWY_INLINE void add_row(float input, const float* from, V (&sums)[N]) {
  const hn::DFromV<V> d{};
  const V x = hn::Set(d, input);
  // Else GCC keeps one pointer a vector, runs out of registers and reads them from the stack.
  __asm__("" : "+r"(from));
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) {
    sums[v] = hn::MulAdd(x, hn::LoadU(d, from + v * hn::MaxLanes(d)), sums[v]);
  }
}

// Whether nothing is left out: places rise, so the last one tells.
HWY_INLINE bool is_whole(const RowEntries& row) {
  return row.count > 0 && row.indices[row.count - 1] + 1 == row.count;
}

template <typename V, std::size_t N, typename Ahead = NoLookAhead>
HWY_INLINE void accumulate(const RowEntries& row, const float* HWY_RESTRICT weights,
                           std::size_t stride, V (&sums)[N], const Ahead& ahead = {}) {
  if (std::is_same_v<Ahead, NoLookAhead> && is_whole(row)) {
    for (std::size_t n = 0; n < row.count; ++n) add_row(row.values[n], weights + n * stride, sums);
    return;
  }
  for (std::size_t n = 0; n < row.count; ++n) {
    ahead.at(n);
    add_row(row.values[n], weights + row.indices[n] * stride, sums);
  }
}

HWY_INLINE const float* offset_start(const LayerView& layer, std::size_t first) {
  return layer.start == nullptr ? nullptr : layer.start + first;
}

// Four sums, since one would wait for itself.
template <typename V>
HWY_INLINE float total_of(const V (&sums)[4]) {
  const V sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(hn::DFromV<V>(), sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#endif
