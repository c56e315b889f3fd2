#include "handrail/oracle/network.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/aligned_bytes.h"
#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/oracle/dense.h"

namespace handrail {
namespace {

enum class TraceRow : std::size_t { kSums = 0, kUnits = 1, kSlopes = 2 };

// The row of a trace that begins at `offset` and has `count` numbers a row. For const and other
// spans alike.
template <typename Number>
std::span<Number> row(std::span<Number> trace, std::size_t offset, std::size_t count,
                      TraceRow which) {
  return trace.subspan(offset + static_cast<std::size_t>(which) * count, count);
}

void fill_normal(RandomStream stream, double deviation, std::span<double> values) {
  for (double& value : values) value = deviation * stream.normal();
}

// A direction drawn uniformly: normals, divided by their length.
void fill_unit_sphere(RandomStream stream, std::span<double> values) {
  fill_normal(stream, 1.0, values);
  const double length = std::sqrt(dot(values, values));
  for (double& value : values) value /= length;
}

double initial_deviation(Parametrisation parametrisation, double sigma_1, std::size_t input_count,
                         std::size_t unit_count) {
  if (parametrisation == Parametrisation::kStandard) {
    return std::sqrt(2.0 / static_cast<double>(input_count));
  }
  const auto width = static_cast<double>(unit_count);
  return sigma_1 / (2.0 * (1.0 + std::sqrt(std::log(width)) / std::sqrt(2.0 * width)));
}

// Blocks in the high half, so that no number of layers or blocks lets two streams meet.
RandomStream initial_stream(std::uint64_t seed, std::size_t layer, std::size_t block) {
  return {seed, Purpose::kInitialisation, (std::uint64_t{block} << 32) + layer};
}

// Stands for a block in the streams of biases; there are fewer blocks than that.
constexpr std::size_t kBiases = 0xFFFF'FFFF;

// Which examples of a batch meet the same weights of a layer.
struct Members {
  std::size_t block = 0;
  std::size_t count = 0;
  std::array<std::size_t, kGroupLimit> examples;
};

// Calls use(members) for groups that cover the batch: in its order, or where blocks have weights of
// their own, block by block.
template <typename Use>
void for_each_group(std::span<const ArmView> arms, bool by_block, Use use) {
  for (std::size_t begin = 0; begin < arms.size(); begin += kGroupLimit) {
    const std::size_t end = std::min(arms.size(), begin + kGroupLimit);
    for (std::size_t first = begin; first < end; ++first) {
      const auto same = [&](std::size_t k) {
        return !by_block || arms[k].block == arms[first].block;
      };
      bool seen = false;
      for (std::size_t k = begin; k < first && !seen; ++k) seen = same(k);
      if (seen) continue;
      Members members;
      members.block = by_block ? arms[first].block : 0;
      for (std::size_t k = first; k < end; ++k) {
        if (same(k)) members.examples[members.count++] = k;
      }
      use(members);
    }
  }
}

template <typename Number>
std::span<Number> trace_of(std::span<Number> traces, std::size_t example, std::size_t size) {
  return traces.subspan(example * size, size);
}

}  // namespace

Network::Network(const NetworkShape& shape, const FeatureLayout& layout)
    : layout_(layout),
      activation_(shape.activation),
      parametrisation_(shape.parametrisation),
      sigma_1_(shape.sigma_1),
      has_biases_(shape.parametrisation == Parametrisation::kStandard),
      own_layer_(shape.own_layer),
      output_init_(shape.output_init),
      skip_(shape.skip),
      initialisation_(shape.initialisation) {
  HANDRAIL_ASSERT(has_biases_ || initialisation_ == Initialisation::kNormal);
  HANDRAIL_ASSERT(!shape.widths.empty() && layout.feature_count > 0 && layout.block_count > 0);
  lay_out(shape);
}

void Network::lay_out(const NetworkShape& shape) {
  const bool ntk = parametrisation_ == Parametrisation::kNtk;
  std::size_t input_count = layout_.feature_count;
  for (std::size_t l = 0; l < shape.widths.size(); ++l) {
    const std::size_t unit_count = shape.widths[l];
    HANDRAIL_ASSERT(unit_count > 0);
    const std::size_t weight_count = input_count * unit_count;
    const std::size_t bias_count = has_biases_ ? unit_count : 0;
    HiddenLayer layer{.input_count = input_count,
                      .unit_count = unit_count,
                      .scale = ntk ? 1.0 / std::sqrt(static_cast<double>(unit_count)) : 1.0,
                      .weights = parameter_count_,
                      .biases = parameter_count_ + weight_count,
                      .trace = trace_size_};
    if (l == 0 && own_layer_ == OwnLayer::kFirst) {
      add_blocks(weight_count, l);
      if (has_biases_) layer.biases = add_segment(bias_count, l);
    } else {
      add_segment(weight_count + bias_count, l);
    }
    layers_.push_back(layer);
    trace_size_ += 3 * unit_count;
    input_count = unit_count;
  }
  output_scale_ = layers_.back().scale;
  const std::size_t output_size =
      input_count + (skip_ ? layout_.feature_count : 0) + (has_biases_ ? 1 : 0);
  output_weights_ = own_layer_ == OwnLayer::kOutput ? add_blocks(output_size, layers_.size())
                                                    : add_segment(output_size, layers_.size());
}

// One segment a block. Returns the offset of the first.
std::size_t Network::add_blocks(std::size_t size, std::size_t layer) {
  const std::size_t offset = parameter_count_;
  first_block_ = segments_.size();
  for (std::size_t b = 0; b < layout_.block_count; ++b) add_segment(size, layer);
  block_stride_ = (parameter_count_ - offset) / layout_.block_count;
  return offset;
}

std::size_t Network::output_offset(std::size_t block) const {
  return output_weights_ + (shares_hidden_layers() ? block * block_stride_ : 0);
}

std::size_t Network::add_segment(std::size_t size, std::size_t layer) {
  const std::size_t offset = parameter_count_;
  segments_.push_back({.offset = offset, .size = size, .layer = layer});
  parameter_count_ += round_up(size, kSegmentAlignment);
  return offset;
}

// As PyTorch's Linear starts on the block encoding of dK features, whose weights the blocks are.
std::vector<double> Network::uniform_parameters(std::uint64_t seed) const {
  std::vector<double> parameters(parameter_count_, 0.0);
  const auto fill = [&](std::size_t offset, std::size_t count, RandomStream stream, double limit) {
    for (double& value : std::span(parameters).subspan(offset, count)) {
      value = limit * (2.0 * stream.uniform() - 1.0);
    }
  };
  const auto limit_of = [](std::size_t input_count) {
    return 1.0 / std::sqrt(static_cast<double>(input_count));
  };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const HiddenLayer& layer = layers_[l];
    const std::size_t block_count = is_own(l) ? layout_.block_count : 1;
    const double limit = limit_of(layer.input_count * block_count);
    for (std::size_t b = 0; b < block_count; ++b) {
      fill(layer.weights + b * block_stride_, layer.input_count * layer.unit_count,
           initial_stream(seed, l, b), limit);
    }
    fill(layer.biases, layer.unit_count, initial_stream(seed, l, kBiases), limit);
  }
  const std::size_t input_count = layers_.back().unit_count + (skip_ ? layout_.feature_count : 0);
  const std::size_t output_count = shares_hidden_layers() ? layout_.block_count : 1;
  for (std::size_t b = 0; b < output_count; ++b) {
    // The bias lies behind the weights and starts like them.
    fill(output_offset(b), input_count + 1, initial_stream(seed, layers_.size(), b),
         limit_of(input_count));
  }
  return parameters;
}

std::vector<double> Network::initial_parameters(std::uint64_t seed) const {
  if (initialisation_ == Initialisation::kUniform) return uniform_parameters(seed);
  std::vector<double> parameters(parameter_count_, 0.0);
  const std::span<double> all(parameters);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const HiddenLayer& layer = layers_[l];
    const double deviation =
        initial_deviation(parametrisation_, sigma_1_, layer.input_count, layer.unit_count);
    const std::size_t block_count =
        l == 0 && own_layer_ == OwnLayer::kFirst ? layout_.block_count : 1;
    for (std::size_t b = 0; b < block_count; ++b) {
      fill_normal(
          initial_stream(seed, l, b), deviation,
          all.subspan(layer.weights + b * block_stride_, layer.input_count * layer.unit_count));
    }
  }
  const std::size_t width = layers_.back().unit_count;
  const std::size_t output_count = shares_hidden_layers() ? layout_.block_count : 1;
  for (std::size_t b = 0; b < output_count; ++b) {
    const std::span<double> output = all.subspan(output_offset(b), width);
    const RandomStream stream = initial_stream(seed, layers_.size(), b);
    if (parametrisation_ == Parametrisation::kNtk) {
      fill_unit_sphere(stream, output);
    } else {
      fill_normal(stream, output_init_ * initial_deviation(parametrisation_, sigma_1_, width, 1),
                  output);
    }
  }
  return parameters;
}

std::span<const double> Network::hidden_weights(std::span<const double> parameters,
                                                const HiddenLayer& layer, std::size_t block) const {
  return parameters.subspan(layer.weights + block * block_stride_,
                            layer.input_count * layer.unit_count);
}

std::span<const double> Network::inputs_of(std::size_t layer, const ArmView& arm,
                                           std::span<const double> trace) const {
  if (layer == 0) return arm.features;
  const HiddenLayer& below = layers_[layer - 1];
  return row(trace, below.trace, below.unit_count, TraceRow::kUnits);
}

void Network::run_hidden(std::span<const double> parameters, std::span<const ArmView> arms,
                         std::span<double> traces) const {
  HANDRAIL_ASSERT(traces.size() == arms.size() * trace_size_);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const HiddenLayer& layer = layers_[l];
    for_each_group(arms, is_own(l), [&](const Members& members) {
      DenseGroup group;
      group.count = members.count;
      group.input_count = layer.input_count;
      group.output_count = layer.unit_count;
      for (std::size_t m = 0; m < members.count; ++m) {
        const ArmView& arm = arms[members.examples[m]];
        HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count &&
                        arm.block < layout_.block_count);
        const auto trace = trace_of(traces, members.examples[m], trace_size_);
        const auto sums = row(trace, layer.trace, layer.unit_count, TraceRow::kSums);
        if (has_biases_) {
          std::ranges::copy(parameters.subspan(layer.biases, layer.unit_count), sums.begin());
        } else {
          std::ranges::fill(sums, 0.0);
        }
        group.inputs[m] = inputs_of(l, arm, trace).data();
        group.outputs[m] = sums.data();
      }
      dense_forward(group, hidden_weights(parameters, layer, members.block));
    });
    for (std::size_t b = 0; b < arms.size(); ++b) {
      const auto trace = trace_of(traces, b, trace_size_);
      const auto sums = row(trace, layer.trace, layer.unit_count, TraceRow::kSums);
      for (double& sum : sums) sum *= layer.scale;
      activation_forward(activation_, sums,
                         row(trace, layer.trace, layer.unit_count, TraceRow::kUnits));
    }
  }
}

double Network::output(std::span<const double> parameters, const ArmView& arm,
                       std::span<const double> trace) const {
  const auto units = inputs_of(layers_.size(), arm, trace);
  const auto weights = parameters.subspan(output_offset(arm.block));
  double sum = dot(weights.first(units.size()), units);
  std::size_t next = units.size();
  if (skip_) {
    sum += dot(weights.subspan(next, arm.features.size()), arm.features);
    next += arm.features.size();
  }
  return output_scale_ * (sum + (has_biases_ ? weights[next] : 0.0));
}

double Network::forward(std::span<const double> parameters, const ArmView& arm,
                        std::span<double> trace) const {
  run_hidden(parameters, {&arm, 1}, trace);
  return output(parameters, arm, trace);
}

void Network::backward(std::span<const double> parameters, std::span<const ArmView> arms,
                       std::span<double> traces) const {
  HANDRAIL_ASSERT(traces.size() == arms.size() * trace_size_);
  const HiddenLayer& last = layers_.back();
  for (std::size_t b = 0; b < arms.size(); ++b) {
    const auto weights = parameters.subspan(output_offset(arms[b].block), last.unit_count);
    const auto slopes =
        row(trace_of(traces, b, trace_size_), last.trace, last.unit_count, TraceRow::kSlopes);
    for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] = output_scale_ * weights[j];
  }
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const HiddenLayer& layer = layers_[l];
    for (std::size_t b = 0; b < arms.size(); ++b) {
      const auto trace = trace_of(traces, b, trace_size_);
      const auto slopes = row(trace, layer.trace, layer.unit_count, TraceRow::kSlopes);
      activation_backward(activation_, row(trace, layer.trace, layer.unit_count, TraceRow::kSums),
                          slopes);
      for (double& slope : slopes) slope *= layer.scale;
    }
    if (l == 0) return;
    const HiddenLayer& below = layers_[l - 1];
    for_each_group(arms, false, [&](const Members& members) {
      DenseGroup group;
      group.count = members.count;
      group.input_count = layer.unit_count;
      group.output_count = below.unit_count;
      for (std::size_t m = 0; m < members.count; ++m) {
        const auto trace = trace_of(traces, members.examples[m], trace_size_);
        group.inputs[m] = row(trace, layer.trace, layer.unit_count, TraceRow::kSlopes).data();
        group.outputs[m] = row(trace, below.trace, below.unit_count, TraceRow::kSlopes).data();
      }
      dense_backward_inputs(group, hidden_weights(parameters, layer, 0));
    });
  }
}

void Network::add_gradient(std::span<const double> coefficients, std::span<const ArmView> arms,
                           std::span<const double> traces, std::span<double> gradient) const {
  HANDRAIL_ASSERT(traces.size() == arms.size() * trace_size_ && coefficients.size() == arms.size());
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const HiddenLayer& layer = layers_[l];
    for_each_group(arms, is_own(l), [&](const Members& members) {
      std::array<GradientTerm, kGroupLimit> terms;
      for (std::size_t m = 0; m < members.count; ++m) {
        const std::size_t b = members.examples[m];
        const auto trace = trace_of(traces, b, trace_size_);
        terms[m] = {.coefficient = coefficients[b],
                    .inputs = inputs_of(l, arms[b], trace),
                    .slopes = row(trace, layer.trace, layer.unit_count, TraceRow::kSlopes)};
      }
      dense_backward_weights(std::span(terms).first(members.count),
                             gradient.subspan(layer.weights + members.block * block_stride_,
                                              layer.input_count * layer.unit_count));
    });
  }
  for (std::size_t b = 0; b < arms.size(); ++b) {
    const auto trace = trace_of(traces, b, trace_size_);
    for (const HiddenLayer& layer : layers_) {
      if (!has_biases_) break;
      add_scaled(coefficients[b], row(trace, layer.trace, layer.unit_count, TraceRow::kSlopes),
                 gradient.subspan(layer.biases, layer.unit_count));
    }
    add_output_gradient(coefficients[b], arms[b], trace, gradient);
  }
}

void Network::add_output_gradient(double coefficient, const ArmView& arm,
                                  std::span<const double> trace, std::span<double> gradient) const {
  const auto units = inputs_of(layers_.size(), arm, trace);
  const double factor = coefficient * output_scale_;
  std::size_t next = output_offset(arm.block);
  add_scaled(factor, units, gradient.subspan(next, units.size()));
  next += units.size();
  if (skip_) {
    add_scaled(factor, arm.features, gradient.subspan(next, arm.features.size()));
    next += arm.features.size();
  }
  if (has_biases_) gradient[next] += factor;
}

double Network::squared_gradient(const ArmView& arm, std::span<const double> trace) const {
  const double bias_input = has_biases_ ? 1.0 : 0.0;  // a bias is a weight whose input is 1
  double sum = 0.0;
  std::span<const double> inputs = arm.features;
  for (const HiddenLayer& layer : layers_) {
    const auto slopes = row(trace, layer.trace, layer.unit_count, TraceRow::kSlopes);
    sum += dot(slopes, slopes) * (dot(inputs, inputs) + bias_input);
    inputs = row(trace, layer.trace, layer.unit_count, TraceRow::kUnits);
  }
  const double skipped = skip_ ? dot(arm.features, arm.features) : 0.0;
  return sum + output_scale_ * output_scale_ * (dot(inputs, inputs) + skipped + bias_input);
}

}  // namespace handrail
