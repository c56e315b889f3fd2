#include "handrail/oracle/kernels/fast_network.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/oracle/kernels/aligned.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kArms;
using mlp_fixture::kBlocks;
using mlp_fixture::RoundFeatures;

// Σ_p diagonal[p] (∂f/∂θ_p)² from the gradient itself, written down in double.
double by_gradient(const Network& network, const std::vector<double>& parameters,
                   const std::vector<double>& diagonal, const ArmView& arm) {
  std::vector<double> trace(network.trace_size());
  std::vector<double> gradient(parameters.size(), 0.0);
  network.forward(parameters, arm, trace);
  network.backward(parameters, {&arm, 1}, trace);
  const double one = 1.0;
  network.add_gradient({&one, 1}, {&arm, 1}, trace, gradient);
  double sum = 0.0;
  for (std::size_t p = 0; p < gradient.size(); ++p) sum += diagonal[p] * gradient[p] * gradient[p];
  return sum;
}

void expect_weighted_gradients(const NetworkShape& shape) {
  const Network network(shape, kBlocks);
  const std::vector<double> parameters = network.initial_parameters(3);
  std::vector<double> diagonal(parameters.size());
  RandomStream stream(5, Purpose::kTest, 0);
  for (double& entry : diagonal) entry = 0.1 + stream.uniform();
  const RoundFeatures round(kBlocks, 11);
  for (const Isa isa : supported_isas()) {
    const FastNetwork fast(network, shape.activation, isa);
    const AlignedFloats fast_parameters = fast.layout().spread(parameters);
    const AlignedFloats fast_diagonal = fast.layout().spread(diagonal);
    AlignedBytes memory;
    FastBatch batch = fast.batch(kArms, memory);
    for (ArmIndex k = 0; k < kArms; ++k) fast.read(k, round.features().arm(k), batch);
    fast.forward(fast_parameters.data(), batch);
    fast.backward(fast_parameters.data(), std::vector<float>(kArms, 1.0F), batch);
    for (ArmIndex k = 0; k < kArms; ++k) {
      const double expected = by_gradient(network, parameters, diagonal, round.features().arm(k));
      EXPECT_NEAR(fast.weighted_squared_gradient(fast_diagonal.data(), batch, k), expected,
                  1e-4 * expected)
          << to_text(isa) << " arm " << k;
    }
  }
}

TEST(FastNetwork, WeighsSquaredGradientsByADiagonal) {
  expect_weighted_gradients({.widths = {100}});
  expect_weighted_gradients({.widths = {9, 5}, .activation = Activation::kTanh});
  expect_weighted_gradients({.widths = {20, 30}, .own_layer = OwnLayer::kOutput, .skip = true});
  expect_weighted_gradients({.widths = {12}, .parametrisation = Parametrisation::kNtk});
}

}  // namespace
}  // namespace handrail
