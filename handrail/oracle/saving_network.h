// EE-Net's first network, the exploiter: predicts what an arm saves, 1 − cost. It learns savings
// and not costs because the authors' rewards start from a prediction near 0: an arm that nobody
// tried then looks expensive, whereas a cost near 0 would draw every arm once.
#pragma once

#include <span>

#include "handrail/oracle/fitted_state.h"
#include "handrail/oracle/network.h"

namespace handrail {

struct SavingNetworkConfig {
  std::size_t unit_count = 100;
  double learning_rate = 0.01;
  ShuffledFit fit = {.step_limit = 2000, .enough = 1e-3};
  std::size_t kept = 40'000;  // newest examples
  std::uint64_t seed = 0;
};

class SavingNetwork {
 public:
  SavingNetwork(const SavingNetworkConfig& config, const FeatureLayout& layout);

  const Network& network() const { return network_; }

  // The saving predicted for an arm. The trace then holds its gradient.
  double saving(const ArmView& arm, std::span<double> trace) const;

  void add(const ArmView& arm, double cost) { state_.data.push({.arm = arm, .cost = cost}); }
  // Plain descent on the squared error, from where it is. The order of the examples is drawn from
  // `stream`.
  void train(const RandomStream& stream);

  void save(ByteWriter& out) const { state_.save(out); }
  void load(ByteReader& in) { state_.load(in); }

 private:
  SavingNetworkConfig config_;
  Network network_;
  FittedState state_;
};

}  // namespace handrail
