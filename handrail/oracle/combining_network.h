// EE-Net's third network, the decider, which its authors leave out by default: from what the first
// two say of an arm it predicts what the arm saves.
#pragma once

#include <span>

#include "handrail/oracle/fitted_state.h"
#include "handrail/oracle/network.h"

namespace handrail {

// What the first two networks say of an arm.
struct SavingEstimate {
  double saving = 0.0;   // saving_network.h
  double promise = 1.0;  // promise_network.h
};

struct CombiningNetworkConfig {
  std::size_t unit_count = 20;
  double learning_rate = 0.001;
  ShuffledFit fit = {.step_limit = 1000, .enough = 1e-3};
  std::size_t kept = 40'000;  // newest examples
  std::uint64_t seed = 0;
};

class CombiningNetwork {
 public:
  explicit CombiningNetwork(const CombiningNetworkConfig& config);

  std::size_t trace_size() const { return network_.trace_size(); }
  double saving(const SavingEstimate& values, std::span<double> trace) const;

  void add(const SavingEstimate& values, double cost);
  // Adam on the squared error: the authors name another loss and never use it. Its memory is new at
  // every training.
  void train(const RandomStream& stream);

  void save(ByteWriter& out) const { state_.save(out); }
  void load(ByteReader& in) { state_.load(in); }

 private:
  CombiningNetworkConfig config_;
  Network network_;
  FittedState state_;
};

}  // namespace handrail
