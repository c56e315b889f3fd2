// A network whose last hidden layer is used as features for something else: the representation of
// policy neural-linear. All arms share its hidden layer, and with block features each has an output
// of its own, which only training looks at.
//
// Trained like TensorFlow's deep contextual bandits: square loss on minibatches drawn with
// replacement, gradients of at most a given norm, RMSProp with the rate r / (1 + decay · step),
// where the step counts from 0 in every training, as their comments want, or from the first one on,
// which is what their code does: it resets the rate that it shows and not the one that it trains
// with. RMSProp's memory outlives a training. In double, with the loops of the reference network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/network.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {

struct LearnedFeaturesConfig {
  std::size_t unit_count = 50;
  double init_scale = 0.3;  // weights start uniform in ±init_scale, biases at 0
  double learning_rate = 0.1;
  double rate_decay = 0.5;
  bool rate_resets = true;  // at each training
  double longest_gradient = 5.0;
  std::size_t batch = 512;
  std::uint64_t seed = 0;
};

class LearnedFeatures {
 public:
  LearnedFeatures(const LearnedFeaturesConfig& config, const FeatureLayout& layout);

  std::size_t size() const { return config_.unit_count; }
  std::size_t trace_size() const { return network_.trace_size(); }

  // The last hidden layer at an arm: a view into the trace.
  std::span<const double> of(const ArmView& arm, std::span<double> trace) const;

  // The network's own prediction, for those who want to see it learn.
  double output(const ArmView& arm, std::span<double> trace) const;

  // `steps` minibatches of the examples, drawn from `stream`.
  void train(const ReplayBuffer& examples, std::size_t steps, RandomStream stream);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void differentiate(const ReplayBuffer& examples, RandomStream& stream);

  LearnedFeaturesConfig config_;
  Network network_;
  std::vector<double> parameters_;
  std::vector<double> squares_;  // RMSProp's memory
  std::uint64_t step_count_ = 0;

  // Scratch of train().
  std::vector<ArmView> arms_;
  std::vector<double> costs_;
  std::vector<double> traces_;
  std::vector<double> slopes_;
  std::vector<double> gradient_;
};

}  // namespace handrail
