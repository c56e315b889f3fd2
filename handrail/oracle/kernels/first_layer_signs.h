// The signs of the arms' own first layers, for steps on one example. The gradient of a first layer
// is then the product of the features and the slopes, so all that is needed of S × inputs × units
// signs are the dots with the features, one a copy and unit: with the slopes they make ⟨G, ε_s⟩,
// and with what the weights are due they make what the sums of the units lack. So the weights need
// not be brought up to date, nor their gradient be written down.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/layer_kernels.h"
#include "handrail/oracle/kernels/sign_kernels.h"
#include "handrail/oracle/network.h"
#include "handrail/oracle/signs.h"

namespace handrail {

class FirstLayerSigns {
 public:
  // Of a network whose arms have first layers of their own. Its biases count as one more input,
  // which is 1.
  FirstLayerSigns(const SignTable& signs, const Network& network, Isa isa);

  // Makes the dots those of an arm. `features` ends with 1 for the bias; `biases` may be null.
  void look_up(std::size_t block, const float* features, std::span<const double> due,
               const float* biases);

  // For the arm that was looked up: the biases as they really are, and the Σ_s due[s] ⟨x, ε_s,j⟩
  // that the weights lack; a padded row.
  const float* start() const { return start_.data(); }
  // ⟨G, ε_s⟩ for the G of weights and biases that belongs to a padded row of slopes.
  std::span<const float> along_signs(const float* slopes);

 private:
  void turn(const SignTable& signs, const Network& network);

  const SignKernels& kernels_;
  const LayerKernels& layers_;
  std::size_t input_count_;  // with the bias
  std::size_t unit_count_;
  TurnedSigns shape_;           // of one block
  std::vector<SignByte> rows_;  // block after block

  // Scratch.
  AlignedFloats inputs_;
  AlignedFloats dots_;                 // copy after copy
  std::vector<std::uint32_t> copies_;  // 0, 1, 2, …
  std::vector<float> due_;
  AlignedFloats start_;
  AlignedFloats along_signs_;  // one a copy
};

}  // namespace handrail
