#include "handrail/oracle/conv_network.h"

#include "handrail/base/assert.h"
#include "handrail/oracle/dense.h"

namespace handrail {
namespace {

std::size_t positions_of(const ConvShape& shape) {
  HANDRAIL_ASSERT(shape.kernel > 0 && shape.stride > 0 && shape.input_count >= shape.kernel);
  return (shape.input_count - shape.kernel) / shape.stride + 1;
}

Network network_above(const ConvShape& shape) {
  return {{.widths = {shape.unit_count}},
          {.shape = FeatureShape::kRows, .feature_count = positions_of(shape), .block_count = 1}};
}

}  // namespace

ConvNetwork::ConvNetwork(const ConvShape& shape)
    : shape_(shape), position_count_(positions_of(shape)), above_(network_above(shape)) {}

std::size_t ConvNetwork::parameter_count() const {
  return above_offset() + above_.parameter_count();
}

std::vector<double> ConvNetwork::initial_parameters(const UniformInit& init) const {
  constexpr std::size_t kConvTensor = 255;  // behind those of the network above
  std::vector<double> parameters(above_offset());
  fill_uniform(init, {.index = kConvTensor}, fan_in_bound(shape_.kernel), parameters);
  const std::vector<double> above = uniform_parameters(above_, init);
  parameters.insert(parameters.end(), above.begin(), above.end());
  return parameters;
}

// A trace holds o, then the network's own trace, then the slopes of f with respect to o.
double ConvNetwork::forward(std::span<const double> parameters, std::span<const double> inputs,
                            std::span<double> trace) const {
  HANDRAIL_ASSERT(parameters.size() == parameter_count() && trace.size() == trace_size());
  HANDRAIL_ASSERT(inputs.size() == shape_.input_count);
  const std::span<const double> weights = parameters.first(shape_.kernel);
  const double bias = parameters[shape_.kernel];
  const std::span<double> outputs = trace.first(position_count_);
  for (std::size_t p = 0; p < position_count_; ++p) {
    outputs[p] = bias + dot(weights, inputs.subspan(p * shape_.stride, shape_.kernel));
  }
  return above_.forward(parameters.subspan(above_offset()), {.features = outputs, .block = 0},
                        trace.subspan(position_count_, above_.trace_size()));
}

void ConvNetwork::add_gradient(std::span<const double> parameters, const Example& example,
                               std::span<double> gradient) const {
  HANDRAIL_ASSERT(gradient.size() == parameter_count());
  const std::span<const double> above = parameters.subspan(above_offset());
  const ArmView outputs = {.features = example.trace.first(position_count_), .block = 0};
  const std::span<double> trace = example.trace.subspan(position_count_, above_.trace_size());
  above_.backward(above, {&outputs, 1}, trace);
  above_.add_gradient({&example.coefficient, 1}, {&outputs, 1}, trace,
                      gradient.subspan(above_offset()));

  // Through W to the convolution's outputs, which the network above takes for features.
  const Network::HiddenLayer& layer = above_.hidden_layers().front();
  const std::span<double> slopes = example.trace.last(position_count_);
  DenseGroup group;
  group.count = 1;
  group.input_count = layer.unit_count;
  group.output_count = position_count_;
  group.inputs[0] = trace.subspan(layer.trace + 2 * layer.unit_count).data();
  group.outputs[0] = slopes.data();
  dense_backward_inputs(group, above.subspan(layer.weights, position_count_ * layer.unit_count));
  for (std::size_t p = 0; p < position_count_; ++p) {
    const double factor = example.coefficient * slopes[p];
    add_scaled(factor, example.inputs.subspan(p * shape_.stride, shape_.kernel),
               gradient.first(shape_.kernel));
    gradient[shape_.kernel] += factor;
  }
}

}  // namespace handrail
