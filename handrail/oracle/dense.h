// The kernels of a dense layer, as pairs of forward and backward functions on plain arrays. A
// layer's weights are stored input by input: weights[i * outputs + j] leads from input i to output
// j, so that every inner loop runs over neighbours.
#pragma once

#include <span>

namespace handrail {

// outputs[j] += Σ_i inputs[i] weights[i, j]. Inputs that are exactly 0 are skipped: features are
// often sparse, and so is what a ReLU lets through.
//   inputs (I), weights (I × J), outputs (J)
void dense_forward(std::span<const double> inputs, std::span<const double> weights,
                   std::span<double> outputs);

// input_slopes[i] = Σ_j weights[i, j] output_slopes[j].
//   weights (I × J), output_slopes (J), input_slopes (I)
void dense_backward_inputs(std::span<const double> weights, std::span<const double> output_slopes,
                           std::span<double> input_slopes);

// gradient[i, j] += coefficient · inputs[i] · output_slopes[j].
//   inputs (I), output_slopes (J), gradient (I × J)
void dense_backward_weights(double coefficient, std::span<const double> inputs,
                            std::span<const double> output_slopes, std::span<double> gradient);

// Σ_i a[i] b[i], of equal lengths.
double dot(std::span<const double> a, std::span<const double> b);

// a[i] += factor · b[i], of equal lengths.
void add_scaled(double factor, std::span<const double> b, std::span<double> a);

}  // namespace handrail
