// EE-Net's second network, the explorer: from the gradient of a first one at an arm it predicts how
// much more the arm saves than that says, plus 1. About 1 where the first one is right.
#pragma once

#include <span>

#include "handrail/oracle/conv_network.h"
#include "handrail/oracle/fitted_state.h"
#include "handrail/oracle/pooled_gradient.h"

namespace handrail {

struct PromiseNetworkConfig {
  std::size_t pool = 50;
  std::size_t unit_count = 100;
  double learning_rate = 0.001;
  double decay = 1e-4;  // times the parameters is added to the gradient
  ShuffledFit fit = {.step_limit = 2000, .enough = 2e-3};
  std::size_t kept = 40'000;  // newest examples
  std::uint64_t seed = 0;
};

// The convolution's shape, which the authors fix.
inline constexpr std::size_t kPromiseKernel = 100;
inline constexpr std::size_t kPromiseStride = 50;

class PromiseNetwork {
 public:
  // `network` is the one whose gradients it sees.
  PromiseNetwork(const PromiseNetworkConfig& config, const Network& network);

  GradientFactors factors_of(const ArmView& arm, std::span<const double> trace) const {
    return pooled_.factors_of(arm, trace);
  }
  // Numbers of scratch that promise() needs.
  std::size_t scratch_size() const;
  double promise(const GradientFactors& factors, std::span<double> scratch) const;

  void add(const GradientFactors& factors, double target);
  // Adam on the squared error, its memory new at every training as in the authors' code, the
  // parameters from where they are.
  void train(const RandomStream& stream);

  std::size_t example_count() const { return state_.data.size(); }
  // Numbers that one example takes.
  static std::size_t example_size(const FeatureLayout& layout, std::size_t unit_count) {
    return layout.feature_count + 2 * unit_count + 1;
  }

  void save(ByteWriter& out) const { state_.save(out); }
  void load(ByteReader& in) { state_.load(in); }

 private:
  struct Memory {
    std::span<double> prefix;
    std::span<double> pooled;
    std::span<double> trace;
  };
  Memory split(std::span<double> scratch) const;
  double forward(const GradientFactors& factors, const Memory& memory) const;

  PromiseNetworkConfig config_;
  FeatureLayout layout_;
  std::size_t seen_unit_count_;  // of the network whose gradients it sees
  PooledGradient pooled_;
  ConvNetwork network_;
  // A row is what the gradient is made of: features, units, slopes; then the target, which is not
  // where a buffer has its costs since it may lie outside [0, 1].
  FittedState state_;
};

}  // namespace handrail
