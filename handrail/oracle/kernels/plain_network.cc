#include "handrail/oracle/kernels/plain_network.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/carver.h"

namespace handrail {

PlainNetwork::PlainNetwork(const FastNetwork& network, Isa isa)
    : fast_(network),
      network_(network.network()),
      kernels_(layer_kernels(isa)),
      row_kernels_(row_kernels(isa)),
      feature_count_(network_.layout().feature_count),
      width_(network_.hidden_layers()[0].unit_count) {
  HANDRAIL_ASSERT(network.is_plain());
}

PlainPass PlainNetwork::list(const ArmView& arm, AlignedBytes& memory) const {
  HANDRAIL_ASSERT(arm.features.size() == feature_count_ && arm.block < network_.block_count());
  const std::size_t width = padded(width_);
  const auto [indices, values, units, slopes] = carve(memory, [&](Carver& carver) {
    return std::tuple(carver.take<std::uint32_t>(feature_count_),
                      carver.take<float>(feature_count_), carver.take<float>(width),
                      carver.take<float>(width));
  });
  std::fill(units + width_, units + width, 0.0F);
  const std::size_t count = row_kernels_.list(arm.features.data(), feature_count_, indices, values);
  return {.row = {indices, values, count}, .block = arm.block, .units = units, .slopes = slopes};
}

void PlainNetwork::run(const float* parameters, const float* start, PlainPass& pass) const {
  LayerView view = fast_.layer_view(parameters, 0, pass.block);
  if (start != nullptr) view.start = start;
  const float* const last = parameters + fast_.layout().output_offset(0);
  const float sum = kernels_.unit_output(pass.row, view, last, pass.units);
  pass.output = static_cast<double>(fast_.output(last).of(sum));
}

PlainExample PlainNetwork::example(const PlainPass& pass, float coefficient) const {
  const auto scale = static_cast<float>(network_.output_scale());
  const auto slope =
      static_cast<float>(network_.output_scale() * network_.hidden_layers()[0].scale);
  return {.row = pass.row,
          .units = pass.units,
          .top = scale * coefficient,
          .slope = slope * coefficient};
}

const float* PlainNetwork::slopes(const float* parameters, const PlainExample& example,
                                  const PlainPass& pass) const {
  kernels_.relu_backward(pass.units, example.slope, parameters + fast_.layout().output_offset(0),
                         pass.slopes, width_);
  return pass.slopes;
}

double PlainNetwork::squared_gradient(const float* parameters, const PlainPass& pass) const {
  const PlainExample example = this->example(pass, 1.0F);
  const float* const slopes = this->slopes(parameters, example, pass);
  const double bias_input = network_.has_biases() ? 1.0 : 0.0;  // a weight whose input is 1
  const auto square = [](const float* row, std::size_t count) {
    return std::transform_reduce(row, row + count, 0.0, std::plus(), [](float x) {
      return static_cast<double>(x) * static_cast<double>(x);
    });
  };
  const double inputs = square(pass.row.values, pass.row.count) + bias_input;
  const double units = square(pass.units, width_) + bias_input;
  const auto top = static_cast<double>(example.top);
  return square(slopes, width_) * inputs + top * top * units;
}

PlainArm PlainNetwork::arm(float* parameters, std::size_t block) const {
  const FastLayout& layout = fast_.layout();
  return {.weights = parameters + layout.layer(0).weights + block * layout.block_stride(),
          .biases = network_.has_biases() ? parameters + layout.layer(0).biases : nullptr,
          .outputs = parameters + layout.output_offset(0),
          .width = width_,
          .stride = layout.layer(0).stride};
}

}  // namespace handrail
