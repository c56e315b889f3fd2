#include "handrail/oracle/learned_features.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/oracle/dense.h"
#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/training_loss.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {

LearnedFeatures::LearnedFeatures(const LearnedFeaturesConfig& config, const FeatureLayout& layout)
    : config_(config),
      network_({.widths = {config.unit_count}, .own_layer = OwnLayer::kOutput}, layout),
      parameters_(uniform_parameters(network_, {.seed = config.seed, .bound = config.init_scale})),
      squares_(parameters_.size(), kRmsPropFirstSquare) {}

std::span<const double> LearnedFeatures::of(const ArmView& arm, std::span<double> trace) const {
  network_.run_hidden(parameters_, {&arm, 1}, trace);
  const Network::HiddenLayer& layer = network_.hidden_layers().back();
  return trace.subspan(layer.trace + layer.unit_count, layer.unit_count);
}

double LearnedFeatures::output(const ArmView& arm, std::span<double> trace) const {
  return network_.forward(parameters_, arm, trace);
}

void LearnedFeatures::train(const ReplayBuffer& examples, std::size_t steps, RandomStream stream) {
  HANDRAIL_ASSERT(examples.size() > 0);
  if (config_.rate_resets) step_count_ = 0;
  for (std::size_t step = 0; step < steps; ++step, ++step_count_) {
    differentiate(examples, stream);
    const double norm = std::sqrt(dot(gradient_, gradient_));
    const double rate =
        config_.learning_rate / (1.0 + config_.rate_decay * static_cast<double>(step_count_));
    const double factor = norm > config_.longest_gradient ? config_.longest_gradient / norm : 1.0;
    rmsprop_step({.rate = rate, .factor = factor}, gradient_, squares_, parameters_);
  }
}

// The gradient of the mean loss of a minibatch.
void LearnedFeatures::differentiate(const ReplayBuffer& examples, RandomStream& stream) {
  arms_.clear();
  costs_.clear();
  for (std::size_t b = 0; b < config_.batch; ++b) {
    const Example example = examples.slot(stream.below(examples.size()));
    arms_.push_back(example.arm);
    costs_.push_back(example.cost);
  }
  const std::size_t trace_size = network_.trace_size();
  traces_.resize(config_.batch * trace_size);
  slopes_.resize(config_.batch);
  network_.run_hidden(parameters_, arms_, traces_);
  const double share = 1.0 / static_cast<double>(config_.batch);
  for (std::size_t b = 0; b < config_.batch; ++b) {
    const auto trace = std::span<const double>(traces_).subspan(b * trace_size, trace_size);
    const double output = network_.output(parameters_, arms_[b], trace);
    slopes_[b] = share * loss_slope(Loss::kSquare, output, costs_[b]);
  }
  network_.backward(parameters_, arms_, traces_);
  gradient_.assign(parameters_.size(), 0.0);
  network_.add_gradient(slopes_, arms_, traces_, gradient_);
}

void LearnedFeatures::save(ByteWriter& out) const {
  out.doubles(parameters_);
  out.doubles(squares_);
  out.u64(step_count_);
}

void LearnedFeatures::load(ByteReader& in) {
  in.doubles(std::span(parameters_));
  in.doubles(std::span(squares_));
  step_count_ = in.u64();
}

}  // namespace handrail
