#include "handrail/oracle/promise_network.h"

#include "handrail/oracle/dense.h"
#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

FeatureLayout buffer_layout(const FeatureLayout& layout, std::size_t unit_count) {
  return {.shape = layout.shape,
          .feature_count = PromiseNetwork::example_size(layout, unit_count),
          .block_count = layout.block_count};
}

}  // namespace

PromiseNetwork::PromiseNetwork(const PromiseNetworkConfig& config, const Network& network)
    : config_(config),
      layout_(network.layout()),
      seen_unit_count_(network.hidden_layers().front().unit_count),
      pooled_(network, config.pool, kPromiseKernel),
      network_({.input_count = pooled_.size(),
                .kernel = kPromiseKernel,
                .stride = kPromiseStride,
                .unit_count = config.unit_count}),
      state_{.parameters = network_.initial_parameters({.seed = config.seed, .network = 1}),
             .data = ReplayBuffer(config.kept, buffer_layout(layout_, seen_unit_count_))} {}

std::size_t PromiseNetwork::scratch_size() const {
  return layout_.feature_count + 1 + pooled_.size() + network_.trace_size();
}

PromiseNetwork::Memory PromiseNetwork::split(std::span<double> scratch) const {
  const std::size_t prefix_size = layout_.feature_count + 1;
  return {.prefix = scratch.first(prefix_size),
          .pooled = scratch.subspan(prefix_size, pooled_.size()),
          .trace = scratch.subspan(prefix_size + pooled_.size(), network_.trace_size())};
}

double PromiseNetwork::forward(const GradientFactors& factors, const Memory& memory) const {
  pooled_.fill(factors, memory.prefix, memory.pooled);
  return network_.forward(state_.parameters, memory.pooled, memory.trace);
}

double PromiseNetwork::promise(const GradientFactors& factors, std::span<double> scratch) const {
  return forward(factors, split(scratch));
}

void PromiseNetwork::add(const GradientFactors& factors, double target) {
  std::vector<double> row;
  row.reserve(example_size(layout_, seen_unit_count_));
  for (const auto part : {factors.arm.features, factors.units, factors.slopes}) {
    row.insert(row.end(), part.begin(), part.end());
  }
  row.push_back(target);
  state_.data.push({.arm = {.features = row, .block = factors.arm.block}, .cost = 0.0});
}

void PromiseNetwork::train(const RandomStream& stream) {
  std::vector<double> scratch(scratch_size());
  const Memory memory = split(scratch);
  AdamDescent adam(config_.learning_rate, state_.parameters);
  const std::size_t d = layout_.feature_count;
  const std::size_t units = seen_unit_count_;
  state_.fit(config_.fit, stream, [&](const Example& example) {
    const ArmView row = example.arm;
    const GradientFactors factors = {.arm = {.features = row.features.first(d), .block = row.block},
                                     .units = row.features.subspan(d, units),
                                     .slopes = row.features.subspan(d + units, units)};
    const double target = row.features.back();
    const double output = forward(factors, memory);
    const std::span<double> gradient = adam.new_gradient();
    network_.add_gradient(state_.parameters,
                          {.inputs = memory.pooled,
                           .trace = memory.trace,
                           .coefficient = loss_slope(Loss::kSquare, output, target)},
                          gradient);
    add_scaled(config_.decay, state_.parameters, gradient);
    adam.step();
    return loss_at(Loss::kSquare, output, target);
  });
}

}  // namespace handrail
