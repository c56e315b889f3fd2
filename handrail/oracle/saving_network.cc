#include "handrail/oracle/saving_network.h"

#include "handrail/oracle/training_loss.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {

SavingNetwork::SavingNetwork(const SavingNetworkConfig& config, const FeatureLayout& layout)
    : config_(config),
      network_({.widths = {config.unit_count}, .own_layer = OwnLayer::kFirst}, layout),
      state_{.parameters = uniform_parameters(network_, {.seed = config.seed, .network = 0}),
             .data = ReplayBuffer(config.kept, layout)} {}

double SavingNetwork::saving(const ArmView& arm, std::span<double> trace) const {
  const double output = network_.forward(state_.parameters, arm, trace);
  network_.backward(state_.parameters, {&arm, 1}, trace);
  return output;
}

void SavingNetwork::train(const RandomStream& stream) {
  std::vector<double> trace(network_.trace_size());
  state_.fit(config_.fit, stream, [&](const Example& example) {
    const double target = 1.0 - example.cost;
    const double output = saving(example.arm, trace);
    // The step needs no gradient of its own: it adds a multiple of ∇f to the parameters.
    const double step = -config_.learning_rate * loss_slope(Loss::kSquare, output, target);
    network_.add_gradient({&step, 1}, {&example.arm, 1}, trace, state_.parameters);
    return loss_at(Loss::kSquare, output, target);
  });
}

}  // namespace handrail
