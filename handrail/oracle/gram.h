// The linear algebra of ridge regression, shared by the ridge oracle and the confidence ellipsoid.
// For each block k of the parameters it keeps
//   V_k = λI + Σ φφᵀ,   b_k = Σ yφ,   θ_k = V_k⁻¹ b_k
// over the arms it was given, and never the dense matrix over all blocks: that one is block
// diagonal. Every operation costs O(d²) a block that it touches, and none but load() and the
// refactorisation every 1000 updates allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// What the model says of a vector φ.
struct LinearEstimate {
  double cost = 0.0;          // φᵀθ, not clipped
  double squared_norm = 0.0;  // φᵀV⁻¹φ, never negative
};

// A value: a copy is a model of its own.
class RegularisedGram {
 public:
  RegularisedGram(const FeatureLayout& layout, double lambda);

  // Estimates every arm, into one number an arm each. An arm that is not learnable() is estimated
  // at cost 1 with squared norm 0: it looks expensive, whatever it costs.
  void estimate(const ArmFeatures& features, std::span<double> costs,
                std::span<double> squared_norms) const;

  // The costs alone, O(d) an arm.
  void estimate_costs(const ArmFeatures& features, std::span<double> costs) const;

  // The same for a vector over all blocks, such as a sum of arms: block_count * feature_count
  // numbers, block after block. One whose square overflows gets cost 0 and the largest squared
  // norm.
  LinearEstimate estimate_stacked(std::span<const double> stacked) const;

  // The same for a vector that is zero but for one arm in its block. Unlike estimate() it makes no
  // exception for an arm that is not learnable(): V knows little of it, and says so.
  LinearEstimate estimate_arm(const ArmView& arm) const;

  // Learns that `arm` cost `cost`, and returns what was estimated of it before. An arm that is not
  // learnable() is only counted.
  LinearEstimate add(const ArmView& arm, double cost);

  // Whether V can take the arm in without losing its other directions to rounding. It depends on
  // the features alone, so leaving the others out biases nothing.
  bool learnable(const ArmView& arm) const;

  const FeatureLayout& layout() const { return layout_; }
  double lambda() const { return lambda_; }
  double log_det() const { return log_det_; }  // log det(V/λ), never falls
  double ridge_minimum() const;                // min over θ of Σ(φᵀθ − y)² + λ|θ|²
  std::span<const double> coefficients() const { return coefficients_; }  // θ, block after block
  std::uint64_t ignored_count() const { return ignored_count_; }

  void save(ByteWriter& out) const;
  // On a model of the same layout and λ. A refused load changes nothing.
  Status load(ByteReader& in);

 private:
  double cost_of(const ArmView& arm) const;  // φᵀθ
  void refactorise(std::size_t block);

  FeatureLayout layout_;
  double lambda_;
  std::vector<double> gram_;     // V_k, block after block, each row by row
  std::vector<double> inverse_;  // V_k⁻¹, likewise
  std::vector<double> response_;
  std::vector<double> coefficients_;
  std::vector<std::uint64_t> update_counts_;  // one a block
  std::uint64_t ignored_count_ = 0;
  double log_det_ = 0.0;
  double squared_cost_sum_ = 0.0;
  std::vector<double> direction_;  // scratch of add()
};

// Adds `scale` times the arm to a vector over all blocks, as estimate_stacked() takes it.
void add_scaled(const ArmView& arm, double scale, std::span<double> stacked);

// The bound W on |θ|: the given one, or √(block count). With unit features a cost of 1 alone needs
// |θ_k| ≥ 1, in each of the blocks.
double parameter_radius(std::optional<double> radius, const FeatureLayout& layout);

// Refuses a layout for which a matrix of d × d numbers a block would take too much memory.
Status check_matrices(const FeatureLayout& layout);

}  // namespace handrail
