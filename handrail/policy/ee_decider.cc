#include "handrail/policy/ee_decider.h"

#include <algorithm>
#include <array>

#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/training_loss.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {
namespace {

constexpr FeatureLayout kPairs = {
    .shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1};

}  // namespace

Decider::Decider(const DeciderConfig& config)
    : config_(config),
      network_({.widths = {config.unit_count}}, kPairs),
      parameters_(uniform_parameters(network_, {.seed = config.seed, .network = 2})),
      data_(config.kept, kPairs) {}

double Decider::saving(const EeValues& values, std::span<double> trace) const {
  const std::array<double, 2> pair = {values.saving, values.promise};
  return network_.forward(parameters_, {.features = pair, .block = 0}, trace);
}

void Decider::add(const EeValues& values, double cost) {
  const std::array<double, 2> pair = {values.saving, values.promise};
  data_.push({.arm = {.features = pair, .block = 0}, .cost = cost});
}

void Decider::train(const RandomStream& stream) {
  std::vector<double> trace(network_.trace_size());
  std::vector<double> gradient(parameters_.size());
  const std::array<Segment, 1> segments = {
      Segment{.offset = 0, .size = parameters_.size(), .layer = 0}};
  OptimizerState adam(Optimizer::kAdam, config_.learning_rate, segments);
  fit_shuffled(config_.fit, data_.size(), stream, [&](std::size_t index) {
    const Example example = data_.slot(index);
    const double target = 1.0 - example.cost;
    const double output = network_.forward(parameters_, example.arm, trace);
    network_.backward(parameters_, {&example.arm, 1}, trace);
    std::ranges::fill(gradient, 0.0);
    const double slope = loss_slope(Loss::kSquare, output, target);
    network_.add_gradient({&slope, 1}, {&example.arm, 1}, trace, gradient);
    adam.step(0, 1.0, gradient, parameters_);
    return loss_at(Loss::kSquare, output, target);
  });
}

void Decider::save(ByteWriter& out) const {
  out.doubles(parameters_);
  data_.save(out);
}

void Decider::load(ByteReader& in) {
  in.doubles(std::span(parameters_));
  data_.load(in);
}

}  // namespace handrail
