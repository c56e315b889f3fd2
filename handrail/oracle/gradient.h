// The gradient of a mean loss over a few examples. With block features most of it is zero: it knows
// which segments its examples touched and never looks at the others.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/network.h"

namespace handrail {

// What a step reads of a gradient. `values` is laid out like the parameters and means something in
// the touched segments only; `slopes` are the batch means of ∂ℓ/∂f~_s, one a perturbed copy.
struct GradientView {
  std::span<const std::size_t> touched;  // segment indices
  std::span<const double> values;
  std::span<const double> slopes;
};

class BatchGradient {
 public:
  // Keeps a reference to the network. `copy_count` is that of the perturbed copies, 1 without any.
  BatchGradient(const Network& network, std::size_t copy_count);

  // Forgets the last batch.
  void begin();

  // Adds coefficient · ∇f for each of some arms whose traces are complete.
  void add(std::span<const double> coefficients, std::span<const ArmView> arms,
           std::span<const double> traces);

  // Adds the gradient of pull · |Δ|² in the touched segments.
  void add_pull(double pull, const NetworkWeights& parameters);

  // Batch means that the caller sums up: of each copy's slope, and of |∇f|².
  std::vector<double> slopes;
  double squared_output_gradient = 0.0;

  GradientView view() const { return {touched_, values_, slopes}; }
  double squared_norm() const;

 private:
  void touch(std::size_t segment_index);

  const Network& network_;
  std::vector<double> values_;
  std::vector<std::size_t> touched_;
  std::vector<bool> is_touched_;  // by segment
};

}  // namespace handrail
