#include "handrail/oracle/pooled_gradient.h"

#include <gtest/gtest.h>

#include "handrail/base/random.h"

namespace handrail {
namespace {

FeatureLayout blocks_of(std::size_t feature_count, std::size_t block_count) {
  return {
      .shape = FeatureShape::kBlock, .feature_count = feature_count, .block_count = block_count};
}

Network network_of(std::size_t units, const FeatureLayout& layout) {
  return {{.widths = {units}, .own_layer = OwnLayer::kFirst}, layout};
}

// By hand, 2 features, 2 blocks, 2 units. In PyTorch's order the gradient of an arm of block 1 is
//   unit 0: 0 0 2 3, unit 1: 0 0 −2 −3, biases 1 −1, output's weights 5 7, output's bias 1,
// and its sums of three are 2, 3, −4, 11, 1.
TEST(PooledGradient, TakesMeansOfNeighboursInTheOrderOfPyTorch) {
  const Network network = network_of(2, blocks_of(2, 2));
  const std::vector<double> features = {2.0, 3.0};
  const std::vector<double> units = {5.0, 7.0};
  const std::vector<double> slopes = {1.0, -1.0};
  const GradientFactors factors = {
      .arm = {.features = features, .block = 1}, .units = units, .slopes = slopes};
  std::vector<double> prefix(3);

  const PooledGradient pooled(network, 3, 0);
  ASSERT_EQ(pooled.size(), 5u);
  std::vector<double> means(5);
  pooled.fill(factors, prefix, means);
  const std::vector<double> sums = {2.0, 3.0, -4.0, 11.0, 1.0};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(means[i], sums[i] / 3.0, 1e-15) << i;

  const PooledGradient longer(network, 3, 7);
  ASSERT_EQ(longer.size(), 7u);
  std::vector<double> filled_up(7, 9.0);
  longer.fill(factors, prefix, filled_up);
  means.resize(7, 0.0);
  EXPECT_EQ(filled_up, means);
}

// The network's own gradient, which is dense, put in PyTorch's order number by number.
std::vector<double> dense_means(const Network& network, const ArmView& arm,
                                std::span<const double> trace, std::size_t pool) {
  std::vector<double> gradient(network.parameter_count(), 0.0);
  const double one = 1.0;
  network.add_gradient({&one, 1}, {&arm, 1}, trace, gradient);
  const Network::HiddenLayer& layer = network.hidden_layers().front();
  std::vector<double> listed;
  for (std::size_t j = 0; j < layer.unit_count; ++j) {
    for (std::size_t b = 0; b < network.block_count(); ++b) {
      for (std::size_t i = 0; i < layer.input_count; ++i) {
        listed.push_back(
            gradient[layer.weights + b * network.block_stride() + i * layer.unit_count + j]);
      }
    }
  }
  for (std::size_t j = 0; j < layer.unit_count; ++j) listed.push_back(gradient[layer.biases + j]);
  for (std::size_t j = 0; j <= layer.unit_count; ++j) {
    listed.push_back(gradient[network.output_offset(0) + j]);
  }
  std::vector<double> means((listed.size() + pool - 1) / pool, 0.0);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    means[i / pool] += listed[i] / static_cast<double>(pool);
  }
  return means;
}

TEST(PooledGradient, AgreesWithTheDenseGradient) {
  const FeatureLayout layout = blocks_of(7, 3);
  const Network network = network_of(11, layout);
  const std::vector<double> parameters = network.initial_parameters(4);
  for (const std::size_t pool : {1u, 4u, 7u, 50u, 1000u}) {
    const PooledGradient pooled(network, pool, 1);
    for (std::size_t block = 0; block < 3; ++block) {
      RandomStream stream(2, Purpose::kTest, block);
      std::vector<double> features(7);
      for (double& feature : features) feature = stream.normal();
      const ArmView arm = {.features = features, .block = block};
      std::vector<double> trace(network.trace_size());
      network.forward(parameters, arm, trace);
      network.backward(parameters, {&arm, 1}, trace);
      std::vector<double> prefix(8);
      std::vector<double> means(pooled.size());
      pooled.fill(pooled.factors_of(arm, trace), prefix, means);
      const std::vector<double> expected = dense_means(network, arm, trace, pool);
      ASSERT_EQ(means.size(), expected.size());
      for (std::size_t i = 0; i < means.size(); ++i) EXPECT_NEAR(means[i], expected[i], 1e-13);
    }
  }
}

}  // namespace
}  // namespace handrail
