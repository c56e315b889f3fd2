#include "handrail/oracle/combining_network.h"

#include <array>

#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/training_loss.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {
namespace {

constexpr FeatureLayout kPairs = {
    .shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1};

}  // namespace

CombiningNetwork::CombiningNetwork(const CombiningNetworkConfig& config)
    : config_(config),
      network_({.widths = {config.unit_count}}, kPairs),
      state_{.parameters = uniform_parameters(network_, {.seed = config.seed, .network = 2}),
             .data = ReplayBuffer(config.kept, kPairs)} {}

double CombiningNetwork::saving(const SavingEstimate& values, std::span<double> trace) const {
  const std::array<double, 2> pair = {values.saving, values.promise};
  return network_.forward(state_.parameters, {.features = pair, .block = 0}, trace);
}

void CombiningNetwork::add(const SavingEstimate& values, double cost) {
  const std::array<double, 2> pair = {values.saving, values.promise};
  state_.data.push({.arm = {.features = pair, .block = 0}, .cost = cost});
}

void CombiningNetwork::train(const RandomStream& stream) {
  std::vector<double> trace(network_.trace_size());
  AdamDescent adam(config_.learning_rate, state_.parameters);
  state_.fit(config_.fit, stream, [&](const Example& example) {
    const double target = 1.0 - example.cost;
    const double output = network_.forward(state_.parameters, example.arm, trace);
    network_.backward(state_.parameters, {&example.arm, 1}, trace);
    const double slope = loss_slope(Loss::kSquare, output, target);
    network_.add_gradient({&slope, 1}, {&example.arm, 1}, trace, adam.new_gradient());
    adam.step();
    return loss_at(Loss::kSquare, output, target);
  });
}

}  // namespace handrail
