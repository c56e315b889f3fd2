#include "handrail/oracle/uniform_init.h"

#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"

namespace handrail {

double fan_in_bound(std::size_t input_count) {
  return 1.0 / std::sqrt(static_cast<double>(input_count));
}

void fill_uniform(const UniformInit& init, TensorPlace place, double bound,
                  std::span<double> values) {
  HANDRAIL_ASSERT(place.index < 256);
  const std::uint64_t sequence =
      (std::uint64_t{place.block} << 32) + std::uint64_t{init.network} * 256 + place.index;
  RandomStream stream(init.seed, Purpose::kInitialisation, sequence);
  for (double& value : values) value = bound * (2.0 * stream.uniform() - 1.0);
}

std::vector<double> uniform_parameters(const Network& network, const UniformInit& init) {
  HANDRAIL_ASSERT(network.has_biases() && !network.skips());
  std::vector<double> parameters(network.parameter_count(), 0.0);
  const std::span<double> all(parameters);
  const std::size_t block_count = network.block_count();
  std::size_t index = 0;
  for (std::size_t l = 0; l < network.hidden_layers().size(); ++l) {
    const Network::HiddenLayer& layer = network.hidden_layers()[l];
    const std::size_t owners = l == 0 && network.has_own_first_layer() ? block_count : 1;
    const double bound = init.bound.value_or(fan_in_bound(owners * layer.input_count));
    for (std::size_t block = 0; block < owners; ++block) {
      const std::size_t offset = layer.weights + block * network.block_stride();
      fill_uniform(init, {.index = index, .block = block}, bound,
                   all.subspan(offset, layer.input_count * layer.unit_count));
    }
    if (!init.bound) {
      fill_uniform(init, {.index = index + 1}, bound, all.subspan(layer.biases, layer.unit_count));
    }
    index += 2;
  }
  const std::size_t width = network.hidden_layers().back().unit_count;
  const std::size_t owners = network.shares_hidden_layers() ? block_count : 1;
  const double bound = init.bound.value_or(fan_in_bound(width));
  for (std::size_t block = 0; block < owners; ++block) {
    // The output's bias lies behind its weights.
    fill_uniform(init, {.index = index, .block = block}, bound,
                 all.subspan(network.output_offset(block), width + (init.bound ? 0 : 1)));
  }
  return parameters;
}

}  // namespace handrail
