// The gradient of a layer over a batch, and the steps that take it straight into the weights, for
// one instruction set each. A gradient is a sum of products of the layer's inputs and slopes, so it
// need not be written down where no step has to know it as a whole.
//
// The rows of slopes end in zeros, up to a multiple of kRowAlignment: so a vector may reach into
// the next row of the target, which it leaves as it was, and behind the last row there are
// kRowAlignment numbers that may be read and written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/kernels/row_kernels.h"

namespace handrail {

// Σ_b left[b][i] · right[b][j] for the inputs i of a list: what a batch adds to the gradient of a
// layer, whose row i is then `width` numbers at i · stride.
struct Products {
  const std::uint32_t* inputs = nullptr;
  std::size_t input_count = 0;
  const float* const* left = nullptr;
  const float* const* right = nullptr;  // padded rows
  std::size_t count = 0;                // of examples
  std::size_t width = 0;
  std::size_t stride = 0;  // of rows of weights; a row alone needs none
};

// The parameters of one arm in a network of one hidden layer of ReLU units for each arm, and an
// output that sees only those.
struct PlainArm {
  float* weights = nullptr;  // a row an input
  float* biases = nullptr;   // or none; then the output has none either
  float* outputs = nullptr;  // a weight a unit, then the bias
  std::size_t width = 0;
  std::size_t stride = 0;  // of rows of weights
};

// One example on its way back through it.
struct PlainExample {
  RowEntries row;                // its features
  const float* units = nullptr;  // what the output saw; a padded row
  float top = 0.0F;              // the loss's slope by an output weight, for a unit of 1
  float slope = 0.0F;            // the loss's slope by a unit's sum, for an output weight of 1
};

struct ProductKernels {
  // target[i, j] += factor · products.
  void (*add)(const Products& products, float factor, float* target);
  // A step of plain descent on one example, back and into the weights in one go.
  void (*descend)(const PlainExample& example, float rate, const PlainArm& arm);
  // One AdaGrad step with the products as gradient: adds their squares to `sums`.
  void (*adagrad)(const Products& products, float rate, float* sums, float* target);
};

const ProductKernels& product_kernels(Isa isa);

}  // namespace handrail
