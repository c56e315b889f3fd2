// Logistic regression on costs in [0, 1], taken as soft labels. For each block of the parameters
//   θ̂ minimises J(θ) = Σ (log(1 + e^u) − y·u) + λ/2 |θ|²,   u = φᵀθ.
// A new example moves θ̂ by one Newton step, O(d²): the slope of J at the old minimum is that of
// the new example alone, and its curvature H is kept as it was when each example came. What that
// leaves behind is made good at every doubling of a block's examples, where Newton's method runs to
// the minimum. An iteration is O(nd² + d³); over all doublings that is O(d²) an example, and
// d³ log n beside.
//
// A refit needs the examples: n·d numbers. Only the newest `history` of all blocks together are
// kept, and a refit sees no others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/oracle/cholesky.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {

struct LogisticConfig {
  double lambda = 1.0;
  std::size_t history = 100'000;
};

// A value.
class LogisticRegression {
 public:
  LogisticRegression(const LogisticConfig& config, const FeatureLayout& layout);

  double predict(const ArmView& arm) const;  // σ(φᵀθ̂)

  // Learns that `arm`, whose squared length over λ is at most 10^10, cost `cost`.
  void add(const ArmView& arm, double cost);

  std::span<const double> coefficients() const { return coefficients_; }  // θ̂, block after block
  std::uint64_t example_count(std::size_t block) const { return counts_[block]; }  // ever

  void save(ByteWriter& out) const;
  // On a model of the same configuration. A refused load changes nothing.
  Status load(ByteReader& in);

 private:
  std::span<double> coefficients_of(std::size_t block);
  void step(const ArmView& arm, double cost);
  void refit(std::size_t block);

  LogisticConfig config_;
  FeatureLayout layout_;
  std::vector<double> coefficients_;
  std::vector<CholeskyFactor> curvatures_;  // of H, one a block
  std::vector<std::uint64_t> counts_;       // examples, one a block
  ReplayBuffer examples_;
  std::vector<double> direction_;  // scratch of add()
};

}  // namespace handrail
