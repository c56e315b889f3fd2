// The kernels of a dense layer, as pairs of forward and backward functions on plain arrays. A
// layer's weights are stored input by input: weights[i * outputs + j] leads from input i to output
// j, so that every inner loop runs over neighbours.
//
// Each takes a group of examples that meet the same weights, so that a weight is read once for all
// of them. An example's numbers are the same bits whatever group it is in, and sums over examples
// run in their order.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace handrail {

// As many as keep a layer of 100 units in a first-level cache.
inline constexpr std::size_t kGroupLimit = 32;

// One pointer an example: I numbers at the inputs, J at the outputs.
struct DenseGroup {
  std::size_t count = 0;
  std::size_t input_count = 0;   // I
  std::size_t output_count = 0;  // J
  std::array<const double*, kGroupLimit> inputs;
  std::array<double*, kGroupLimit> outputs;
};

// outputs[j] += Σ_i inputs[i] weights[i, j]. Inputs that are exactly 0 are skipped: features are
// often sparse, and so is what a ReLU lets through.
void dense_forward(const DenseGroup& group, std::span<const double> weights);

// outputs[i] = Σ_j weights[i, j] inputs[j]: slopes come in at the layer's J outputs and leave at
// its I inputs, so that here the group's input_count is J and its output_count I.
void dense_backward_inputs(const DenseGroup& group, std::span<const double> weights);

// What one example adds to a layer's gradient.
struct GradientTerm {
  double coefficient = 0.0;
  std::span<const double> inputs = {};  // I
  std::span<const double> slopes = {};  // J
};

// gradient[i, j] += coefficient · inputs[i] · slopes[j], term after term.
void dense_backward_weights(std::span<const GradientTerm> terms, std::span<double> gradient);

// Σ_i a[i] b[i], of equal lengths.
double dot(std::span<const double> a, std::span<const double> b);

// a[i] += factor · b[i], of equal lengths.
void add_scaled(double factor, std::span<const double> b, std::span<double> a);

}  // namespace handrail
