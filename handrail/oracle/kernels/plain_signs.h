// The signs of a plain network, one hidden layer of ReLU units for each arm and an output that sees
// only those, for steps on one example.
//
// The gradient of a first layer is then the product of the features and the slopes, so all that is
// needed of S × inputs × units signs are the dots with the features, one a copy and unit: with the
// slopes they make ⟨G, ε_s⟩, and with what the weights are due they make what the sums of the units
// lack. So the weights need not be brought up to date, nor their gradient be written down. The
// output layer is so short that its signs are kept as numbers, and it is always up to date.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/layer_kernels.h"
#include "handrail/oracle/kernels/product_kernels.h"
#include "handrail/oracle/kernels/turned_sign_kernels.h"
#include "handrail/oracle/network.h"
#include "handrail/oracle/signs.h"

namespace handrail {

class PlainSigns {
 public:
  PlainSigns(const SignTable& signs, const Network& network, Isa isa);

  // Makes the dots those of an arm with these features. `biases` may be null.
  void look_up(std::size_t block, const RowEntries& features, std::span<const double> due,
               const float* biases);

  // For the arm that was looked up: the biases as they really are, and the Σ_s due[s] ⟨x, ε_s,j⟩
  // that the weights lack; a padded row.
  const float* start() const { return start_.data(); }
  // ⟨G, ε_s⟩ of all layers, for that arm on its way back.
  std::span<const float> along_signs(const PlainExample& example, const float* output_weights);

  // outputs += Σ_s coefficients[s] ε_s, of the output layer.
  void add_to_outputs(std::span<const double> coefficients, float* outputs);

 private:
  std::size_t copy_count() const { return numbers_.size(); }
  CopyRows dots() const { return {dots_.data(), unit_stride_}; }
  CopyRows output_signs() const { return {output_signs_.data(), output_stride_}; }
  void turn(const SignTable& signs, const Network& network);
  void spread(const SignTable& signs, const Network& network);
  std::span<const float> as_floats(std::span<const double> numbers);

  const TurnedSignKernels& kernels_;
  std::size_t input_count_;
  std::size_t unit_count_;
  std::size_t output_count_;  // units, and the bias
  std::size_t unit_stride_;   // of rows that stand copy after copy
  std::size_t output_stride_;
  TurnedSigns shape_;             // of one block
  AlignedVector<SignByte> rows_;  // block after block
  AlignedFloats bias_signs_;      // of the first layer, copy after copy
  AlignedFloats output_signs_;    // copy after copy

  // Scratch.
  AlignedFloats inputs_;
  AlignedFloats dots_;          // copy after copy
  std::vector<float> numbers_;  // one a copy
  AlignedFloats start_;
  std::vector<float> along_signs_;  // one a copy
};

}  // namespace handrail
