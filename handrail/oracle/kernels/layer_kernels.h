// The arithmetic of a network in single precision, for one instruction set each. A layer's weights
// lie input by input: weights[i · stride + j] leads from input i to unit j, so that a unit's inputs
// are read as neighbouring vectors and an input that is 0 costs nothing.
//
// Rows of weights begin at multiples of kColumnAlignment, or of kRowAlignment where their stride is
// one (see FastLayout), and what fills them up means nothing.
// Other rows are padded with zeros: whoever makes a row of units or slopes leaves zeros behind its
// last number, up to a multiple of kRowAlignment; kernels read weights beyond the end of a row
// there, multiply them with those zeros, and write into rows of units and slopes only. They write
// zeros up to the end of their last vector, which may come before that multiple. So every array of
// weights has kRowAlignment readable numbers behind its end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/base/aligned_bytes.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/kernels/row_kernels.h"

namespace handrail {

// The widest vector, in numbers.
inline constexpr std::size_t kRowAlignment = 16;

constexpr std::size_t padded(std::size_t count) {
  return round_up(count, kRowAlignment);
}

// A layer as it is read: `start` is added to the sums (biases), or null.
struct LayerView {
  const float* weights = nullptr;
  const float* start = nullptr;
  std::size_t input_count = 0;
  std::size_t width = 0;
  std::size_t stride = 0;  // of rows of weights
  float scale = 1.0F;
  bool has_relu = false;  // then max(0, ·) of the sums is what leaves a forward kernel
};

// Blocks of a first layer, `stride` numbers apart, and the output weights that all of them share.
struct BlockLayers {
  LayerView first;
  std::size_t stride = 0;
  std::size_t block_count = 0;
  const float* output_weights = nullptr;
};

// A row on its way through all blocks.
struct BlockPass {
  RowEntries row;
  BlockLayers layers;
};

// One number a block each.
struct BlockMeasures {
  float* outputs = nullptr;
  float* norms = nullptr;
};

struct LayerKernels {
  // sums[j] = scale · (start[j] + Σ_n values[n] weights[indices[n], j]).
  void (*sparse_forward)(const RowEntries& row, const LayerView& layer, float* sums);
  // The same with units = max(0, sums), and Σ_j units[j] · output_weights[j].
  float (*unit_output)(const RowEntries& row, const LayerView& layer, const float* output_weights,
                       float* units);
  // outputs[b] = Σ_j max(0, sums of block b)[j] · output_weights[j], reading each weight once and
  // writing no sums.
  void (*block_outputs)(const BlockPass& pass, float* outputs);
  // The same outputs, for layers of scale 1, and how long their gradients are by a diagonal that
  // lies like the weights: norms[b] = Σ_j unit[j]² · output_weights[j] + Σ_j slope[j]² · (start[j]
  // + Σ_n values[n] weights[indices[n], j]), where all but unit and slope is the diagonal's, whose
  // row holds the squares of the other.
  void (*block_gradients)(const BlockPass& weights, const BlockPass& diagonal,
                          const BlockMeasures& measures);
  // The same as sparse_forward for rows that are mostly not 0, `count` of them at once.
  void (*dense_forward)(const float* const* inputs, std::size_t count, const LayerView& layer,
                        float* const* sums);
  // outputs[b][i] = Σ_j inputs[b][j] weights[i, j]: slopes on their way back. Inputs are padded.
  void (*dense_backward)(const float* const* inputs, std::size_t count, const LayerView& layer,
                         float* const* outputs);
  // outputs[k] = Σ_i row[i] weights[k · stride + i] for a padded row of `count` numbers.
  void (*row_dots)(const float* row, std::size_t count, const float* weights, std::size_t stride,
                   std::size_t row_count, float* outputs);
  // Σ_i a[i] b[i]; `a` is padded.
  float (*dot)(const float* a, const float* b, std::size_t count);

  // slopes[j] = units[j] > 0 ? factor · incoming[j] : 0; the two may be the same row.
  void (*relu_backward)(const float* units, float factor, const float* incoming, float* slopes,
                        std::size_t count);
};

const LayerKernels& layer_kernels(Isa isa);

}  // namespace handrail
