#include "handrail/policy/ee_explorer.h"

#include <algorithm>
#include <array>

#include "handrail/oracle/dense.h"
#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

FeatureLayout buffer_layout(const FeatureLayout& layout, std::size_t unit_count) {
  return {.shape = layout.shape,
          .feature_count = Explorer::example_size(layout, unit_count),
          .block_count = layout.block_count};
}

}  // namespace

Explorer::Explorer(const ExplorerConfig& config, const Network& network)
    : config_(config),
      layout_(network.layout()),
      seen_unit_count_(network.hidden_layers().front().unit_count),
      pooled_(network, config.pool, kExplorerKernel),
      network_({.input_count = pooled_.size(),
                .kernel = kExplorerKernel,
                .stride = kExplorerStride,
                .unit_count = config.unit_count}),
      parameters_(network_.initial_parameters({.seed = config.seed, .network = 1})),
      data_(config.kept, buffer_layout(layout_, seen_unit_count_)) {}

std::size_t Explorer::scratch_size() const {
  return layout_.feature_count + 1 + pooled_.size() + network_.trace_size();
}

Explorer::Memory Explorer::split(std::span<double> scratch) const {
  const std::size_t prefix_size = layout_.feature_count + 1;
  return {.prefix = scratch.first(prefix_size),
          .pooled = scratch.subspan(prefix_size, pooled_.size()),
          .trace = scratch.subspan(prefix_size + pooled_.size(), network_.trace_size())};
}

double Explorer::forward(const GradientFactors& factors, const Memory& memory) const {
  pooled_.fill(factors, memory.prefix, memory.pooled);
  return network_.forward(parameters_, memory.pooled, memory.trace);
}

double Explorer::promise(const GradientFactors& factors, std::span<double> scratch) const {
  return forward(factors, split(scratch));
}

void Explorer::add(const GradientFactors& factors, double target) {
  std::vector<double> row;
  row.reserve(example_size(layout_, seen_unit_count_));
  for (const auto part : {factors.arm.features, factors.units, factors.slopes}) {
    row.insert(row.end(), part.begin(), part.end());
  }
  row.push_back(target);
  data_.push({.arm = {.features = row, .block = factors.arm.block}, .cost = 0.0});
}

void Explorer::train(const RandomStream& stream) {
  std::vector<double> scratch(scratch_size());
  std::vector<double> gradient(parameters_.size());
  const Memory memory = split(scratch);
  const std::array<Segment, 1> segments = {
      Segment{.offset = 0, .size = parameters_.size(), .layer = 0}};
  OptimizerState adam(Optimizer::kAdam, config_.learning_rate, segments);
  const std::size_t d = layout_.feature_count;
  const std::size_t units = seen_unit_count_;
  fit_shuffled(config_.fit, data_.size(), stream, [&](std::size_t index) {
    const ArmView row = data_.slot(index).arm;
    const GradientFactors factors = {.arm = {.features = row.features.first(d), .block = row.block},
                                     .units = row.features.subspan(d, units),
                                     .slopes = row.features.subspan(d + units, units)};
    const double target = row.features.back();
    const double output = forward(factors, memory);
    std::ranges::fill(gradient, 0.0);
    network_.add_gradient(parameters_,
                          {.inputs = memory.pooled,
                           .trace = memory.trace,
                           .coefficient = loss_slope(Loss::kSquare, output, target)},
                          gradient);
    add_scaled(config_.decay, parameters_, gradient);
    adam.step(0, 1.0, gradient, parameters_);
    return loss_at(Loss::kSquare, output, target);
  });
}

void Explorer::save(ByteWriter& out) const {
  out.doubles(parameters_);
  data_.save(out);
}

void Explorer::load(ByteReader& in) {
  in.doubles(std::span(parameters_));
  data_.load(in);
}

}  // namespace handrail
