#include "handrail/oracle/uniform_init.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace handrail {
namespace {

constexpr FeatureLayout kBlocks = {
    .shape = FeatureShape::kBlock, .feature_count = 16, .block_count = 4};

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// 16 features and 4 blocks are 64 inputs, 1/√64 = 1/8; 25 units above, 1/√25 = 1/5.
TEST(UniformInit, BoundsALayerByItsInputsInAllBlocks) {
  const Network network({.widths = {25}, .own_layer = OwnLayer::kFirst}, kBlocks);
  const std::vector<double> all = uniform_parameters(network, {.seed = 1});
  const Network::HiddenLayer& layer = network.hidden_layers().front();
  for (std::size_t block = 0; block < 4; ++block) {
    const auto weights =
        std::span(all).subspan(layer.weights + block * network.block_stride(), 16 * 25);
    EXPECT_LE(largest(weights), 0.125);
    EXPECT_GT(largest(weights), 0.12);
  }
  EXPECT_LE(largest(std::span(all).subspan(layer.biases, 25)), 0.125);
  EXPECT_GT(largest(std::span(all).subspan(layer.biases, 25)), 0.06);
  EXPECT_GT(largest(std::span(all).subspan(network.output_offset(0), 25)), 0.125);
  EXPECT_LE(largest(std::span(all).subspan(network.output_offset(0), 26)), 0.2);
  EXPECT_NE(all[network.output_offset(0) + 25], 0.0);
}

TEST(UniformInit, WithABoundLeavesBiasesAtZero) {
  const Network network({.widths = {25}, .own_layer = OwnLayer::kOutput}, kBlocks);
  const std::vector<double> all = uniform_parameters(network, {.seed = 1, .bound = 0.3});
  const Network::HiddenLayer& layer = network.hidden_layers().front();
  EXPECT_GT(largest(std::span(all).subspan(layer.weights, 16 * 25)), 0.29);
  EXPECT_LE(largest(all), 0.3);
  EXPECT_EQ(largest(std::span(all).subspan(layer.biases, 25)), 0.0);
  for (std::size_t block = 0; block < 4; ++block) {
    EXPECT_GT(largest(std::span(all).subspan(network.output_offset(block), 25)), 0.25);
    EXPECT_EQ(all[network.output_offset(block) + 25], 0.0);
  }
  EXPECT_NE(all[network.output_offset(0)], all[network.output_offset(1)]);
}

TEST(UniformInit, NetworksAndSeedsDiffer) {
  const Network network({.widths = {5}}, kBlocks);
  const auto first = uniform_parameters(network, {.seed = 1, .network = 0});
  EXPECT_EQ(first, uniform_parameters(network, {.seed = 1, .network = 0}));
  EXPECT_NE(first, uniform_parameters(network, {.seed = 1, .network = 1}));
  EXPECT_NE(first, uniform_parameters(network, {.seed = 2, .network = 0}));
}

}  // namespace
}  // namespace handrail
