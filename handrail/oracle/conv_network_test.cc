#include "handrail/oracle/conv_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "handrail/base/random.h"

namespace handrail {
namespace {

// By hand: kernel (1, −2), bias 3, stride 2 over (1, 2, 3, 4, 9) gives o = (0, −2); the last input
// is left over. One unit with weights (5, −1) and bias 1 is relu(0 + 2 + 1) = 3, and the output
// with weight 2 and bias −1 is 5.
TEST(ConvNetwork, RunsForwardByHand) {
  const ConvNetwork network({.input_count = 5, .kernel = 2, .stride = 2, .unit_count = 1});
  ASSERT_EQ(network.position_count(), 2u);
  std::vector<double> parameters(network.parameter_count(), 0.0);
  const std::vector<double> convolution = {1.0, -2.0, 3.0};
  std::copy(convolution.begin(), convolution.end(), parameters.begin());
  const std::vector<double> hidden = {5.0, -1.0};
  std::copy(hidden.begin(), hidden.end(), parameters.begin() + 3);
  // Behind the convolution's three lie the segments of the network above, at multiples of 128: the
  // first layer's weights, its biases, the output's weight and bias.
  parameters[3 + kSegmentAlignment] = 1.0;
  parameters[3 + 2 * kSegmentAlignment] = 2.0;
  parameters[3 + 2 * kSegmentAlignment + 1] = -1.0;
  std::vector<double> trace(network.trace_size());
  const std::vector<double> inputs = {1.0, 2.0, 3.0, 4.0, 9.0};
  EXPECT_EQ(network.forward(parameters, inputs, trace), 5.0);
}

TEST(ConvNetwork, GradientAgreesWithCentralDifferences) {
  const ConvNetwork network({.input_count = 23, .kernel = 6, .stride = 4, .unit_count = 5});
  const UniformInit init = {.seed = 3, .network = 1};
  std::vector<double> parameters = network.initial_parameters(init);
  RandomStream stream(1, Purpose::kTest, 1);
  std::vector<double> inputs(23);
  for (double& input : inputs) input = stream.normal();
  std::vector<double> trace(network.trace_size());
  network.forward(parameters, inputs, trace);
  std::vector<double> gradient(parameters.size(), 0.0);
  network.add_gradient(parameters, {.inputs = inputs, .trace = trace, .coefficient = 1.5},
                       gradient);
  constexpr double kStep = 1e-6;
  double largest = 0.0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double kept = parameters[i];
    parameters[i] = kept + kStep;
    const double above = network.forward(parameters, inputs, trace);
    parameters[i] = kept - kStep;
    const double below = network.forward(parameters, inputs, trace);
    parameters[i] = kept;
    EXPECT_NEAR(gradient[i], 1.5 * (above - below) / (2.0 * kStep), 1e-6) << i;
    largest = std::max(largest, std::abs(gradient[i]));
  }
  EXPECT_GT(largest, 0.1);
}

TEST(ConvNetwork, StartsWithinTheBoundsOfPyTorch) {
  const ConvNetwork network({.input_count = 400, .kernel = 100, .stride = 50, .unit_count = 100});
  const std::vector<double> parameters = network.initial_parameters({.seed = 1, .network = 1});
  double largest = 0.0;
  for (std::size_t i = 0; i < 101; ++i) largest = std::max(largest, std::abs(parameters[i]));
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.08);
}

}  // namespace
}  // namespace handrail
