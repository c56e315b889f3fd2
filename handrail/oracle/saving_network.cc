#include "handrail/oracle/saving_network.h"

#include "handrail/oracle/training_loss.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {

SavingNetwork::SavingNetwork(const SavingNetworkConfig& config, const FeatureLayout& layout)
    : config_(config),
      network_({.widths = {config.unit_count}, .own_layer = OwnLayer::kFirst}, layout),
      parameters_(uniform_parameters(network_, {.seed = config.seed, .network = 0})),
      data_(config.kept, layout) {}

double SavingNetwork::saving(const ArmView& arm, std::span<double> trace) const {
  const double output = network_.forward(parameters_, arm, trace);
  network_.backward(parameters_, {&arm, 1}, trace);
  return output;
}

void SavingNetwork::train(const RandomStream& stream) {
  std::vector<double> trace(network_.trace_size());
  std::vector<std::size_t> order(data_.size());
  fit_shuffled(config_.fit, order, stream, [&](std::size_t index) {
    const Example example = data_.slot(index);
    const double target = 1.0 - example.cost;
    const double output = saving(example.arm, trace);
    // The step needs no gradient of its own: it adds a multiple of ∇f to the parameters.
    const double step = -config_.learning_rate * loss_slope(Loss::kSquare, output, target);
    network_.add_gradient({&step, 1}, {&example.arm, 1}, trace, parameters_);
    return loss_at(Loss::kSquare, output, target);
  });
}

void SavingNetwork::save(ByteWriter& out) const {
  out.doubles(parameters_);
  data_.save(out);
}

void SavingNetwork::load(ByteReader& in) {
  in.doubles(std::span(parameters_));
  data_.load(in);
}

}  // namespace handrail
