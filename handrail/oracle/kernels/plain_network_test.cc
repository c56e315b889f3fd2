#include "handrail/oracle/kernels/plain_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "handrail/oracle/kernels/aligned.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kBlocks;
using mlp_fixture::RoundFeatures;

TEST(PlainNetwork, HasTheSquaredGradientOfTheBatch) {
  for (const auto form : {Parametrisation::kStandard, Parametrisation::kNtk}) {
    const Network network({.widths = {33}, .parametrisation = form, .own_layer = OwnLayer::kFirst},
                          kBlocks);
    for (const Isa isa : supported_isas()) {
      const FastNetwork fast(network, Activation::kRelu, isa);
      const AlignedFloats parameters = fast.layout().spread(network.initial_parameters(3));
      const PlainNetwork plain(fast, isa);
      const RoundFeatures round(kBlocks, 11);
      AlignedBytes memory;
      AlignedBytes plain_memory;
      FastBatch batch = fast.batch(1, memory);
      fast.read(0, round.arm(), batch);
      fast.forward(parameters.data(), batch);
      fast.backward(parameters.data(), std::vector<float>(1, 1.0F), batch);
      PlainPass pass = plain.list(round.arm(), plain_memory);
      plain.run(parameters.data(), nullptr, pass);
      const double expected = fast.squared_gradient(batch, 0);
      EXPECT_NEAR(pass.output, static_cast<double>(batch.outputs[0]), 1e-6);
      EXPECT_NEAR(plain.squared_gradient(parameters.data(), pass), expected, 1e-5 * expected);
    }
  }
}

}  // namespace
}  // namespace handrail
