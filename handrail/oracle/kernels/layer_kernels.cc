#include "handrail/oracle/kernels/layer_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/layer_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/weighted_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

struct SparseForward {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const RowEntries& row, const LayerView& layer,
                             float* const& out) {
    using V = hn::Vec<D>;
    const D d{};
    V sums[N];
    load_start(offset_start(layer, columns.first), sums);
    accumulate(row, layer.weights + columns.first, layer.stride, sums);
    const V scale = hn::Set(d, layer.scale);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v) sums[v] = hn::Mul(sums[v], scale);
    if (layer.has_relu) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) sums[v] = positive_part(sums[v]);
    }
    sums[N - 1] = keep_first(sums[N - 1], columns.count - (N - 1) * kLanesOf<D>);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v) {
      hn::StoreU(sums[v], d, out + columns.first + v * kLanesOf<D>);
    }
  }
};

void sparse_forward(const RowEntries& row, const LayerView& layer, float* sums) {
  for_columns<SparseForward>(layer.width, layer.stride, row, layer, sums);
}

struct UnitOutput {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const RowEntries& row, const LayerView& layer,
                             const float* const& output_weights, float* const& units,
                             float* const& output) {
    using V = hn::Vec<D>;
    const D d{};
    V sums[N];
    load_start(offset_start(layer, columns.first), sums);
    accumulate(row, layer.weights + columns.first, layer.stride, sums);
    const V scale = hn::Set(d, layer.scale);
    const V zero = hn::Zero(d);
    V totals[4] = {zero, zero, zero, zero};
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v) {
      const std::size_t place = columns.first + v * kLanesOf<D>;
      V unit = positive_part(hn::Mul(sums[v], scale));
      V weight = hn::LoadU(d, output_weights + place);
      if (v == N - 1) {
        unit = keep_first(unit, columns.count - v * kLanesOf<D>);
        weight = keep_first(weight, columns.count - v * kLanesOf<D>);
      }
      hn::StoreU(unit, d, units + place);
      totals[v % 4] = hn::MulAdd(unit, weight, totals[v % 4]);
    }
    *output += total_of(totals);
  }
};

float unit_output(const RowEntries& row, const LayerView& layer, const float* output_weights,
                  float* units) {
  float output = 0.0F;
  for_columns<UnitOutput>(layer.width, layer.stride, row, layer, output_weights, units, &output);
  return output;
}

// Rows of weights that a sparse row leaves out make the processor guess wrong what comes next; from
// the second-level cache that costs little. A row that leaves out little is read in order, as
// processors expect it.
bool is_far(const BlockPass& pass) {
  constexpr std::size_t kNearBytes = std::size_t{1} << 18;
  const BlockLayers& layers = pass.layers;
  return layers.block_count * layers.stride * sizeof(float) > kNearBytes &&
         2 * pass.row.count < layers.first.input_count;
}

// sums = start + the row's weighted sum of these weights; others are read next.
template <bool IS_FAR, typename V, std::size_t N>
HWY_INLINE void add_block(const float* start, const BlockPass& pass, const float* weights,
                          const float* next, V (&sums)[N]) {
  const std::size_t stride = pass.layers.first.stride;
  load_start(start, sums);
  if constexpr (IS_FAR) {
    constexpr std::size_t kColumns = N * hn::MaxLanes(hn::DFromV<V>());
    accumulate(pass.row, weights, stride, sums,
               LookAhead<kColumns>{pass.row, weights, next, stride});
  } else {
    accumulate(pass.row, weights, stride, sums);
  }
}

template <bool IS_FAR>
struct BlockOutputs {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const BlockPass& pass, float* const& outputs) {
    using V = hn::Vec<D>;
    const D d{};
    const BlockLayers& blocks = pass.layers;
    const float* const start = offset_start(blocks.first, columns.first);
    V out[N];
    load_start(blocks.output_weights + columns.first, out);
    out[N - 1] = keep_first(out[N - 1], columns.count - (N - 1) * kLanesOf<D>);
    for (std::size_t b = 0; b < blocks.block_count; ++b) {
      V sums[N];
      const float* const weights = blocks.first.weights + b * blocks.stride + columns.first;
      const float* const next = b + 1 < blocks.block_count ? weights + blocks.stride : weights;
      add_block<IS_FAR>(start, pass, weights, next, sums);
      V totals[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) {
        const V unit = positive_part(sums[v]);
        totals[v % 4] = hn::MulAdd(unit, out[v], totals[v % 4]);
      }
      // A positive scale may come after the ReLU.
      const float sum = blocks.first.scale * total_of(totals);
      outputs[b] = columns.first == 0 ? sum : outputs[b] + sum;
    }
  }
};

void block_outputs(const BlockPass& pass, float* outputs) {
  const LayerView& layer = pass.layers.first;
  if (is_far(pass)) {
    return for_columns<BlockOutputs<true>>(layer.width, layer.stride, pass, outputs);
  }
  for_columns<BlockOutputs<false>>(layer.width, layer.stride, pass, outputs);
}

// Two passes a block, over its weights and over its diagonal; units and slopes go through memory,
// the registers are for the sums.
template <bool IS_FAR>
struct BlockGradients {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const BlockPass& weights,
                             const BlockPass& diagonal, const BlockMeasures& measures) {
    using V = hn::Vec<D>;
    const D d{};
    alignas(64) float last[N * kLanesOf<D>];
    alignas(64) float top[N * kLanesOf<D>];
    alignas(64) float squared_slopes[N * kLanesOf<D>];
    copy_columns<D, N>(columns, weights.layers.output_weights, last);
    copy_columns<D, N>(columns, diagonal.layers.output_weights, top);
    const float* const start = offset_start(weights.layers.first, columns.first);
    const float* const diagonal_start = offset_start(diagonal.layers.first, columns.first);
    for (std::size_t b = 0; b < weights.layers.block_count; ++b) {
      const V zero = hn::Zero(d);
      V output[4] = {zero, zero, zero, zero};
      V norm[4] = {zero, zero, zero, zero};
      V sums[N];
      const std::size_t offset = b * weights.layers.stride + columns.first;
      const float* const row = weights.layers.first.weights + offset;
      const float* const squares = diagonal.layers.first.weights + offset;
      const bool is_last = b + 1 == weights.layers.block_count;
      add_block<IS_FAR>(start, weights, row, squares, sums);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) {
        const V unit = positive_part(sums[v]);
        const V weight = hn::LoadU(d, last + v * kLanesOf<D>);
        const V slope = hn::IfThenElseZero(hn::Gt(unit, zero), weight);
        hn::StoreU(hn::Mul(slope, slope), d, squared_slopes + v * kLanesOf<D>);
        output[v % 4] = hn::MulAdd(unit, weight, output[v % 4]);
        norm[v % 4] =
            hn::MulAdd(hn::Mul(unit, unit), hn::LoadU(d, top + v * kLanesOf<D>), norm[v % 4]);
      }
      add_block<IS_FAR>(diagonal_start, diagonal, squares,
                        is_last ? squares : row + weights.layers.stride, sums);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) {
        norm[v % 4] =
            hn::MulAdd(hn::LoadU(d, squared_slopes + v * kLanesOf<D>), sums[v], norm[v % 4]);
      }
      const bool is_first = columns.first == 0;
      measures.outputs[b] = total_of(output) + (is_first ? 0.0F : measures.outputs[b]);
      measures.norms[b] = total_of(norm) + (is_first ? 0.0F : measures.norms[b]);
    }
  }

 private:
  // The columns' part of a row, zeros behind its end.
  template <typename D, std::size_t N>
  static HWY_INLINE void copy_columns(const Columns& columns, const float* row, float* copy) {
    const D d{};
    hn::Vec<D> vectors[N];
    load_start(row + columns.first, vectors);
    vectors[N - 1] = keep_first(vectors[N - 1], columns.count - (N - 1) * kLanesOf<D>);
    for (std::size_t v = 0; v < N; ++v) hn::StoreU(vectors[v], d, copy + v * kLanesOf<D>);
  }
};

void block_gradients(const BlockPass& weights, const BlockPass& diagonal,
                     const BlockMeasures& measures) {
  const LayerView& layer = weights.layers.first;
  if (is_far(weights)) {
    return for_columns<BlockGradients<true>>(layer.width, layer.stride, weights, diagonal,
                                             measures);
  }
  for_columns<BlockGradients<false>>(layer.width, layer.stride, weights, diagonal, measures);
}

// Which inputs a pass adds to the sums: the weights of a stretch stay in the first-level cache
// while all examples read them.
struct Stretch {
  std::size_t begin;
  std::size_t end;
  bool is_first;  // begins with the biases, not with what is there
  bool is_last;   // then the sums are scaled
};
constexpr std::size_t kStretch = 128;

// A tile of ROWS examples × N vectors of units.
template <std::size_t ROWS, std::size_t N>
HWY_INLINE void forward_tile(const float* const* inputs, const LayerView& layer,
                             const Stretch& stretch, std::size_t first_column, float* const* sums) {
  Vector acc[ROWS][N];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
    load_start(stretch.is_first ? offset_start(layer, first_column) : sums[r] + first_column,
               acc[r]);
  }
  const float* from = layer.weights + stretch.begin * layer.stride + first_column;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i, from += layer.stride) {
    Vector w[N];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) w[v] = hn::LoadU(kTag, from + v * kLanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < ROWS; ++r) {
      const Vector x = hn::Set(kTag, inputs[r][i]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < N; ++v) acc[r][v] = hn::MulAdd(x, w[v], acc[r][v]);
    }
  }
  const Vector scale = hn::Set(kTag, stretch.is_last ? layer.scale : 1.0F);
  // Below this nothing is kept: 0 behind a ReLU, else no number at all.
  const float none = -std::numeric_limits<float>::infinity();
  const Vector floor = hn::Set(kTag, stretch.is_last && layer.has_relu ? 0.0F : none);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) {
      const std::size_t column = first_column + v * kLanes;
      const Vector kept = at_least(floor, hn::Mul(acc[r][v], scale));
      hn::StoreU(keep_first(kept, layer.width - column), kTag, sums[r] + column);
    }
  }
}

// Tiles of ROWS examples, then what is left over.
template <std::size_t ROWS, std::size_t N>
HWY_INLINE void forward_panel(const float* const* inputs, std::size_t count, const LayerView& layer,
                              const Stretch& stretch, std::size_t column, float* const* sums) {
  std::size_t b = 0;
  for (; b + ROWS <= count; b += ROWS) {
    forward_tile<ROWS, N>(inputs + b, layer, stretch, column, sums + b);
  }
  if constexpr (ROWS > 2) {
    for (; b + 2 <= count; b += 2) {
      forward_tile<2, N>(inputs + b, layer, stretch, column, sums + b);
    }
  }
  for (; b < count; ++b) forward_tile<1, N>(inputs + b, layer, stretch, column, sums + b);
}

// Twelve sums in registers, as four rows of three vectors or, for a narrow rest, eight rows of one.
void forward_stretch(const float* const* inputs, std::size_t count, const LayerView& layer,
                     const Stretch& stretch, float* const* sums) {
  std::size_t column = 0;
  for (; layer.width - column > 2 * kLanes; column += 3 * kLanes) {
    forward_panel<4, 3>(inputs, count, layer, stretch, column, sums);
    if (layer.width - column <= 3 * kLanes) return;
  }
  if (layer.width - column > kLanes) {
    return forward_panel<4, 2>(inputs, count, layer, stretch, column, sums);
  }
  forward_panel<8, 1>(inputs, count, layer, stretch, column, sums);
}

void dense_forward(const float* const* inputs, std::size_t count, const LayerView& layer,
                   float* const* sums) {
  for (std::size_t begin = 0; begin < layer.input_count; begin += kStretch) {
    const std::size_t end = std::min(layer.input_count, begin + kStretch);
    const Stretch stretch{begin, end, begin == 0, end == layer.input_count};
    forward_stretch(inputs, count, layer, stretch, sums);
  }
}

// A tile of ROWS examples × N inputs, each sum over the units.
template <std::size_t ROWS, std::size_t N>
HWY_INLINE void backward_tile(const float* const* inputs, const LayerView& layer,
                              std::size_t first_input, float* const* outputs) {
  Vector acc[ROWS][N];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) acc[r][v] = hn::Zero(kTag);
  }
  const float* const from = layer.weights + first_input * layer.stride;
  for (std::size_t j = 0; j < layer.width; j += kLanes) {
    Vector w[N];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) w[v] = hn::LoadU(kTag, from + v * layer.stride + j);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < ROWS; ++r) {
      const Vector slope = hn::LoadU(kTag, inputs[r] + j);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < N; ++v) acc[r][v] = hn::MulAdd(slope, w[v], acc[r][v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) {
      outputs[r][first_input + v] = hn::GetLane(hn::SumOfLanes(kTag, acc[r][v]));
    }
  }
}

template <std::size_t N>
HWY_INLINE void backward_panel(const float* const* inputs, std::size_t count,
                               const LayerView& layer, std::size_t input, float* const* outputs) {
  std::size_t b = 0;
  for (; b + 4 <= count; b += 4) backward_tile<4, N>(inputs + b, layer, input, outputs + b);
  for (; b < count; ++b) backward_tile<1, N>(inputs + b, layer, input, outputs + b);
}

void dense_backward(const float* const* inputs, std::size_t count, const LayerView& layer,
                    float* const* outputs) {
  std::size_t input = 0;
  for (; input + 3 <= layer.input_count; input += 3) {
    backward_panel<3>(inputs, count, layer, input, outputs);
  }
  for (; input < layer.input_count; ++input) {
    backward_panel<1>(inputs, count, layer, input, outputs);
  }
}

template <std::size_t ROWS>
HWY_INLINE void dot_rows(const float* row, std::size_t count, const float* weights,
                         std::size_t stride, float* outputs) {
  ColumnVector acc[ROWS];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) acc[r] = hn::Zero(kColumnTag);
  std::size_t i = 0;
  for (; i + kColumnLanes <= count; i += kColumnLanes) {
    const ColumnVector x = hn::LoadU(kColumnTag, row + i);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < ROWS; ++r) {
      acc[r] = hn::MulAdd(x, hn::LoadU(kColumnTag, weights + r * stride + i), acc[r]);
    }
  }
  if (i < count) {
    // What lies behind a row may be anything, even infinite: masked, not multiplied with 0.
    const ColumnVector x = hn::LoadU(kColumnTag, row + i);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < ROWS; ++r) {
      const ColumnVector w = keep_first(hn::LoadU(kColumnTag, weights + r * stride + i), count - i);
      acc[r] = hn::MulAdd(x, w, acc[r]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
    outputs[r] = hn::GetLane(hn::SumOfLanes(kColumnTag, acc[r]));
  }
}

void row_dots(const float* row, std::size_t count, const float* weights, std::size_t stride,
              std::size_t row_count, float* outputs) {
  std::size_t k = 0;
  for (; k + 4 <= row_count; k += 4) {
    dot_rows<4>(row, count, weights + k * stride, stride, outputs + k);
  }
  for (; k + 2 <= row_count; k += 2) {
    dot_rows<2>(row, count, weights + k * stride, stride, outputs + k);
  }
  for (; k < row_count; ++k) dot_rows<1>(row, count, weights + k * stride, stride, outputs + k);
}

float dot(const float* a, const float* b, std::size_t count) {
  const ColumnVector zero = hn::Zero(kColumnTag);
  ColumnVector sums[4] = {zero, zero, zero, zero};
  std::size_t i = 0;
  for (; i + 4 * kColumnLanes <= count; i += 4 * kColumnLanes) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) {
      const std::size_t at = i + v * kColumnLanes;
      sums[v] = hn::MulAdd(hn::LoadU(kColumnTag, a + at), hn::LoadU(kColumnTag, b + at), sums[v]);
    }
  }
  while (i < count) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4 && i < count; ++v, i += kColumnLanes) {
      const ColumnVector rest = keep_first(hn::LoadU(kColumnTag, b + i), count - i);
      sums[v] = hn::MulAdd(hn::LoadU(kColumnTag, a + i), rest, sums[v]);
    }
  }
  return total_of(sums);
}

void relu_backward(const float* units, float factor, const float* incoming, float* slopes,
                   std::size_t count) {
  const Vector f = hn::Set(kTag, factor);
  const auto slope_at = [&](std::size_t j) HWY_ATTR {
    const auto active = hn::Gt(hn::LoadU(kTag, units + j), hn::Zero(kTag));
    return hn::IfThenElseZero(active, hn::Mul(f, hn::LoadU(kTag, incoming + j)));
  };
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) hn::StoreU(slope_at(j), kTag, slopes + j);
  if (j < count) hn::StoreU(keep_first(slope_at(j), count - j), kTag, slopes + j);
}

}  // namespace

const LayerKernels& layer_table() {
  static constexpr LayerKernels kTable{
      .sparse_forward = sparse_forward,
      .unit_output = unit_output,
      .block_outputs = block_outputs,
      .block_gradients = block_gradients,
      .dense_forward = dense_forward,
      .dense_backward = dense_backward,
      .row_dots = row_dots,
      .dot = dot,
      .relu_backward = relu_backward,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const LayerKernels& layer_kernels(Isa isa) {
  return table_of<LayerKernels>(isa, HANDRAIL_EACH_ISA(layer_table()));
}

}  // namespace handrail
#endif
