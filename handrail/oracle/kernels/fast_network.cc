#include "handrail/oracle/kernels/fast_network.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/carver.h"

namespace handrail {
namespace {

void clear_padding(float* row, std::size_t count) {
  std::fill(row + count, row + padded(count), 0.0F);
}

// Of the inputs of any layer, and of units; one more for a bias.
std::size_t longest_row(const Network& network) {
  std::size_t longest = 0;
  for (const auto& layer : network.hidden_layers()) {
    longest = std::max({longest, layer.input_count, layer.unit_count});
  }
  return longest + 1;
}

}  // namespace

FastNetwork::FastNetwork(const Network& network, Activation activation, Isa isa)
    : network_(network),
      layout_(network, isa),
      activation_(activation),
      kernels_(layer_kernels(isa)),
      row_kernels_(row_kernels(isa)),
      feature_count_(network.layout().feature_count),
      longest_(longest_row(network)),
      top_count_(network.hidden_layers().back().unit_count +
                 (network.skips() ? feature_count_ : 0) + (network.has_biases() ? 1 : 0)),
      all_inputs_(longest_) {
  std::iota(all_inputs_.begin(), all_inputs_.end(), 0U);
}

FastBatch FastNetwork::batch(std::size_t count, AlignedBytes& memory) const {
  FastBatch batch;
  const auto lay_out = [&](Carver carver) {
    const auto layers = network_.hidden_layers();
    batch.count = count;
    batch.features = carver.rows(count, feature_count_ + 1);
    batch.sparse = carver.take<RowEntries>(count);
    batch.indices = carver.take<std::uint32_t>(count * feature_count_);
    batch.numbers = carver.take<float>(count * feature_count_);
    batch.blocks = carver.take<std::uint32_t>(count);
    batch.order = carver.take<std::uint32_t>(count);
    batch.layers = carver.take<FastRows>(layers.size());
    batch.tops = carver.rows(count, std::max(top_count_, layers.back().unit_count + 1));
    batch.outputs = carver.take<float>(std::max(count, network_.block_count()));
    batch.starts = carver.take<std::uint32_t>(network_.block_count() + 1);
    batch.inputs = carver.take<std::uint32_t>(longest_);
    batch.values = carver.take<float>(longest_);
    batch.seen = carver.take<std::uint8_t>(feature_count_ + 1);
    batch.squares = carver.take<float>(padded(longest_));
    batch.weighted = carver.take<float>(padded(longest_));
    batch.left = carver.take<const float*>(count);
    batch.right = carver.take<float*>(count);
    const bool is_real = batch.layers != nullptr;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const std::size_t width = layers[l].unit_count;
      FastRows rows;
      rows.units = l + 1 == layers.size() ? batch.tops : carver.rows(count, width + 1);
      rows.sums = activation_ == Activation::kRelu ? rows.units : carver.rows(count, width);
      rows.slopes = carver.rows(count, width);
      if (is_real) batch.layers[l] = rows;
    }
    for (std::size_t b = 0; is_real && b < count; ++b) {
      batch.order[b] = static_cast<std::uint32_t>(b);
    }
    return carver.used();
  };
  const std::size_t size = lay_out(Carver(nullptr));
  lay_out(Carver(memory.at_least(size)));
  return batch;
}

void FastNetwork::read(std::size_t b, const ArmView& arm, FastBatch& batch) const {
  HANDRAIL_ASSERT(arm.features.size() == feature_count_ && arm.block < network_.block_count());
  float* const row = batch.features[b];
  std::uint32_t* const indices = batch.indices + b * feature_count_;
  float* const numbers = batch.numbers + b * feature_count_;
  const std::size_t nonzero =
      row_kernels_.read(arm.features.data(), feature_count_, row, indices, numbers);
  row[feature_count_] = 1.0F;
  clear_padding(row, feature_count_ + 1);
  batch.blocks[b] = static_cast<std::uint32_t>(arm.block);
  batch.sparse[b] = 2 * nonzero < feature_count_
                        ? RowEntries{indices, numbers, nonzero}
                        : RowEntries{all_inputs_.data(), row, feature_count_};
}

LayerView FastNetwork::layer_view(const float* parameters, std::size_t layer,
                                  std::size_t block) const {
  const auto& hidden = network_.hidden_layers()[layer];
  const FastLayout::Layer& place = layout_.layer(layer);
  return {
      .weights = parameters + place.weights + (is_own(layer) ? block * layout_.block_stride() : 0),
      .start = network_.has_biases() ? parameters + place.biases : nullptr,
      .input_count = hidden.input_count,
      .width = hidden.unit_count,
      .stride = place.stride,
      .scale = static_cast<float>(hidden.scale),
      .has_relu = activation_ == Activation::kRelu};
}

const float* FastNetwork::inputs_of(const FastBatch& batch, std::size_t layer,
                                    std::size_t b) const {
  return layer == 0 ? batch.features[b] : batch.layers[layer - 1].units[b];
}

// Counts, then places: in the order of the blocks, and within one in the order of the batch.
void FastNetwork::sort_by_block(FastBatch& batch) const {
  if (batch.count == 1 || network_.block_count() == 1) return;
  const std::size_t block_count = network_.block_count();
  std::fill(batch.starts, batch.starts + block_count + 1, 0U);
  for (std::size_t b = 0; b < batch.count; ++b) ++batch.starts[batch.blocks[b] + 1];
  for (std::size_t k = 0; k < block_count; ++k) batch.starts[k + 1] += batch.starts[k];
  for (std::size_t b = 0; b < batch.count; ++b) {
    batch.order[batch.starts[batch.blocks[b]]++] = static_cast<std::uint32_t>(b);
  }
}

void FastNetwork::run_first_layer(const float* parameters, FastBatch& batch) const {
  std::size_t nonzero = 0;
  for (std::size_t b = 0; b < batch.count; ++b) nonzero += batch.sparse[b].count;
  // A tile reads a weight once for four examples, which pays while most inputs are there.
  batch.is_sparse = 2 * nonzero < batch.count * feature_count_;
  FastRows& rows = batch.layers[0];
  for_each_group(batch, is_own(0), [&](const Group& group) {
    const LayerView view = layer_view(parameters, 0, group.block);
    const std::size_t count = group.end - group.begin;
    if (batch.is_sparse || count < 2) {
      for (std::size_t g = group.begin; g < group.end; ++g) {
        const std::size_t b = batch.order[g];
        kernels_.sparse_forward(batch.sparse[b], view, rows.sums[b]);
      }
      return;
    }
    for (std::size_t g = 0; g < count; ++g) {
      const std::size_t b = batch.order[group.begin + g];
      batch.left[g] = batch.features[b];
      batch.right[g] = rows.sums[b];
    }
    kernels_.dense_forward(batch.left, count, view, batch.right);
  });
}

void FastNetwork::run_layer(const float* parameters, std::size_t layer, FastBatch& batch) const {
  const LayerView view = layer_view(parameters, layer, 0);
  float* const* const inputs = batch.layers[layer - 1].units;
  if (batch.count > 1) {
    return kernels_.dense_forward(inputs, batch.count, view, batch.layers[layer].sums);
  }
  // Half of the units are 0 behind a ReLU, and one row alone leaves a tile's registers empty.
  const RowEntries row{
      batch.inputs, batch.values,
      row_kernels_.compress(inputs[0], view.input_count, batch.inputs, batch.values)};
  kernels_.sparse_forward(row, view, batch.layers[layer].sums[0]);
}

void FastNetwork::activate_layer(std::size_t layer, FastBatch& batch) const {
  const std::size_t width = network_.hidden_layers()[layer].unit_count;
  const FastRows& rows = batch.layers[layer];
  for (std::size_t b = 0; b < batch.count; ++b) {
    float* const units = rows.units[b];
    if (activation_ != Activation::kRelu) {
      for (std::size_t j = 0; j < width; ++j) {
        units[j] = static_cast<float>(activate(activation_, static_cast<double>(rows.sums[b][j])));
      }
    }
    units[width] = 1.0F;
    clear_padding(units, width + 1);
  }
}

void FastNetwork::finish_tops(FastBatch& batch) const {
  const std::size_t width = network_.hidden_layers().back().unit_count;
  for (std::size_t b = 0; b < batch.count; ++b) {
    float* const top = batch.tops[b];
    std::size_t next = width;
    if (network_.skips()) {
      std::copy(batch.features[b], batch.features[b] + feature_count_, top + next);
      next += feature_count_;
    }
    if (network_.has_biases()) top[next++] = 1.0F;
    clear_padding(top, next);
  }
}

void FastNetwork::forward(const float* parameters, FastBatch& batch) const {
  run_hidden(parameters, batch);
  for (std::size_t b = 0; b < batch.count; ++b) run_output(parameters, b, batch);
}

void FastNetwork::run_hidden(const float* parameters, FastBatch& batch) const {
  sort_by_block(batch);
  run_first_layer(parameters, batch);
  activate_layer(0, batch);
  for (std::size_t l = 1; l < network_.hidden_layers().size(); ++l) {
    run_layer(parameters, l, batch);
    activate_layer(l, batch);
  }
  finish_tops(batch);
}

void FastNetwork::run_output(const float* parameters, std::size_t b, FastBatch& batch) const {
  const float* const weights = parameters + layout_.output_offset(batch.blocks[b]);
  const std::size_t count = top_count_ - (network_.has_biases() ? 1 : 0);
  batch.outputs[b] = output(weights).of(kernels_.dot(batch.tops[b], weights, count));
}

FastNetwork::Output FastNetwork::output(const float* weights) const {
  return {.scale = static_cast<float>(network_.output_scale()),
          .bias = network_.has_biases() ? weights[top_count_ - 1] : 0.0F};
}

void FastNetwork::stop_at_units(std::size_t layer, std::size_t b, float factor,
                                const float* incoming, FastBatch& batch) const {
  const std::size_t width = network_.hidden_layers()[layer].unit_count;
  const FastRows& rows = batch.layers[layer];
  if (activation_ == Activation::kRelu) {
    return kernels_.relu_backward(rows.units[b], factor, incoming, rows.slopes[b], width);
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double slope = activation_slope(activation_, static_cast<double>(rows.sums[b][j]));
    rows.slopes[b][j] = factor * incoming[j] * static_cast<float>(slope);
  }
  clear_padding(rows.slopes[b], width);
}

void FastNetwork::backward(const float* parameters, std::span<const float> coefficients,
                           FastBatch& batch) const {
  for (std::size_t b = 0; b < batch.count; ++b) {
    begin_backward(parameters, b, coefficients[b], batch);
  }
  finish_backward(parameters, batch);
}

void FastNetwork::begin_backward(const float* parameters, std::size_t b, float coefficient,
                                 FastBatch& batch) const {
  const auto layers = network_.hidden_layers();
  const auto scale = static_cast<float>(network_.output_scale() * layers.back().scale);
  const float* const weights = parameters + layout_.output_offset(batch.blocks[b]);
  stop_at_units(layers.size() - 1, b, scale * coefficient, weights, batch);
}

void FastNetwork::finish_backward(const float* parameters, FastBatch& batch) const {
  const auto layers = network_.hidden_layers();
  for (std::size_t l = layers.size() - 1; l > 0; --l) {
    const FastRows& below = batch.layers[l - 1];
    kernels_.dense_backward(batch.layers[l].slopes, batch.count, layer_view(parameters, l, 0),
                            below.slopes);
    const auto factor = static_cast<float>(layers[l - 1].scale);
    for (std::size_t b = 0; b < batch.count; ++b) {
      stop_at_units(l - 1, b, factor, below.slopes[b], batch);
    }
  }
}

double FastNetwork::squared_gradient(const FastBatch& batch, std::size_t b) const {
  const auto square = [&](const float* row, std::size_t count) {
    return static_cast<double>(kernels_.dot(row, row, count));
  };
  const auto layers = network_.hidden_layers();
  const double bias_input = network_.has_biases() ? 1.0 : 0.0;  // a weight whose input is 1
  double sum = 0.0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const double inputs = square(inputs_of(batch, l, b), layers[l].input_count) + bias_input;
    sum += square(batch.layers[l].slopes[b], layers[l].unit_count) * inputs;
  }
  const double scale = network_.output_scale();
  return sum + scale * scale * square(batch.tops[b], top_count_);
}

double FastNetwork::weighted_squared_gradient(const float* diagonal, FastBatch& batch,
                                              std::size_t b) const {
  const auto layers = network_.hidden_layers();
  double sum = 0.0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    LayerView view = layer_view(diagonal, l, batch.blocks[b]);
    view.scale = 1.0F;  // it is in the slopes
    view.has_relu = false;
    const std::size_t count =
        row_kernels_.compress(inputs_of(batch, l, b), view.input_count, batch.inputs, batch.values);
    for (std::size_t n = 0; n < count; ++n) batch.values[n] *= batch.values[n];
    kernels_.sparse_forward({batch.inputs, batch.values, count}, view, batch.weighted);
    const float* const slopes = batch.layers[l].slopes[b];
    for (std::size_t j = 0; j < view.width; ++j) batch.squares[j] = slopes[j] * slopes[j];
    clear_padding(batch.squares, view.width);
    sum += static_cast<double>(kernels_.dot(batch.squares, batch.weighted, view.width));
  }
  const float* const output = diagonal + layout_.output_offset(batch.blocks[b]);
  double top = 0.0;
  for (std::size_t i = 0; i < top_count_; ++i) {
    top += static_cast<double>(batch.tops[b][i] * batch.tops[b][i] * output[i]);
  }
  return sum + network_.output_scale() * network_.output_scale() * top;
}

// The inputs that are not 0 in some example of the group, in order.
std::size_t FastNetwork::list_inputs(const Group& group, FastBatch& batch) const {
  std::fill(batch.seen, batch.seen + feature_count_ + 1, std::uint8_t{0});
  for (std::size_t g = group.begin; g < group.end; ++g) {
    const RowEntries& row = batch.sparse[batch.order[g]];
    for (std::size_t n = 0; n < row.count; ++n) batch.seen[row.indices[n]] = 1;
  }
  batch.seen[feature_count_] = bias_is_row(0) ? 1 : 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i <= feature_count_; ++i) {
    batch.inputs[count] = static_cast<std::uint32_t>(i);
    count += batch.seen[i];
  }
  return count;
}

void FastNetwork::block_outputs(const float* parameters, const ArmFeatures& features,
                                AlignedBytes& memory, std::span<double> outputs) const {
  if (network_.shares_hidden_layers()) return head_outputs(parameters, features, memory, outputs);
  if (is_plain()) return fused_outputs(parameters, features, memory, outputs);
  batch_outputs(parameters, features, memory, outputs);
}

void FastNetwork::batch_outputs(const float* parameters, const ArmFeatures& features,
                                AlignedBytes& memory, std::span<double> outputs) const {
  FastBatch arms = batch(features.arm_count(), memory);
  for (std::size_t k = 0; k < arms.count; ++k) {
    read(k, features.arm(static_cast<ArmIndex>(k)), arms);
  }
  forward(parameters, arms);
  std::copy(arms.outputs, arms.outputs + arms.count, outputs.begin());
}

// One hidden layer of ReLU units for each arm: no unit is written down.
void FastNetwork::fused_outputs(const float* parameters, const ArmFeatures& features,
                                AlignedBytes& memory, std::span<double> outputs) const {
  const auto [indices, values, raw] = carve(memory, [&](Carver& carver) {
    return std::tuple(carver.take<std::uint32_t>(feature_count_),
                      carver.take<float>(feature_count_), carver.take<float>(outputs.size()));
  });
  const double* const from = features.values().data();
  const RowEntries row{indices, values, row_kernels_.list(from, feature_count_, indices, values)};
  const BlockLayers layers = block_layers(parameters, outputs.size());
  kernels_.block_outputs({row, layers}, raw);
  const Output last = output(layers.output_weights);
  std::transform(raw, raw + outputs.size(), outputs.begin(),
                 [last](float sum) { return static_cast<double>(last.of(sum)); });
}

BlockLayers FastNetwork::block_layers(const float* parameters, std::size_t block_count) const {
  return {.first = layer_view(parameters, 0, 0),
          .stride = layout_.block_stride(),
          .block_count = block_count,
          .output_weights = parameters + layout_.output_offset(0)};
}

void FastNetwork::block_measures(const Weights& weights, const ArmFeatures& features,
                                 AlignedBytes& memory, const ArmMeasures& measures) const {
  if (is_plain() && network_.has_biases()) {
    return fused_measures(weights, features, memory, measures);
  }
  batch_measures(weights, features, memory, measures);
}

void FastNetwork::batch_measures(const Weights& weights, const ArmFeatures& features,
                                 AlignedBytes& memory, const ArmMeasures& measures) const {
  FastBatch arms = batch(features.arm_count(), memory);
  for (std::size_t k = 0; k < arms.count; ++k) {
    read(k, features.arm(static_cast<ArmIndex>(k)), arms);
  }
  forward(weights.parameters, arms);
  std::copy(arms.outputs, arms.outputs + arms.count, measures.outputs.begin());
  // The outputs are known: their memory holds the coefficients of the slopes.
  std::fill(arms.outputs, arms.outputs + arms.count, 1.0F);
  backward(weights.parameters, {arms.outputs, arms.count}, arms);
  for (std::size_t k = 0; k < arms.count; ++k) {
    measures.squared_norms[k] = weighted_squared_gradient(weights.inverse, arms, k);
  }
}

// With biases, so that all scales are 1 and the output's bias has the gradient 1.
void FastNetwork::fused_measures(const Weights& weights, const ArmFeatures& features,
                                 AlignedBytes& memory, const ArmMeasures& measures) const {
  const std::size_t arm_count = features.arm_count();
  const auto [indices, values, squares, outputs, norms] = carve(memory, [&](Carver& carver) {
    return std::tuple(carver.take<std::uint32_t>(feature_count_),
                      carver.take<float>(feature_count_), carver.take<float>(feature_count_),
                      carver.take<float>(arm_count), carver.take<float>(arm_count));
  });
  const std::size_t count =
      row_kernels_.list(features.values().data(), feature_count_, indices, values);
  std::transform(values, values + count, squares, [](float x) { return x * x; });
  const BlockLayers layers = block_layers(weights.parameters, arm_count);
  const BlockLayers inverse = block_layers(weights.inverse, arm_count);
  kernels_.block_gradients({{indices, values, count}, layers}, {{indices, squares, count}, inverse},
                           {outputs, norms});
  const std::size_t width = layers.first.width;
  const Output last = output(layers.output_weights);
  for (std::size_t k = 0; k < arm_count; ++k) {
    measures.outputs[k] = static_cast<double>(last.of(outputs[k]));
    measures.squared_norms[k] = static_cast<double>(norms[k] + inverse.output_weights[width]);
  }
}

// All arms share the hidden layers: one pass through them, then a row of weights an arm.
void FastNetwork::head_outputs(const float* parameters, const ArmFeatures& features,
                               AlignedBytes& memory, std::span<double> outputs) const {
  FastBatch one = batch(1, memory);
  read(0, features.arm(0), one);
  forward(parameters, one);
  kernels_.row_dots(one.tops[0], top_count_, parameters + layout_.output_offset(0),
                    layout_.block_stride(), outputs.size(), one.outputs);
  const auto scale = static_cast<float>(network_.output_scale());
  std::transform(one.outputs, one.outputs + outputs.size(), outputs.begin(),
                 [&](float sum) { return static_cast<double>(scale * sum); });
}

}  // namespace handrail
