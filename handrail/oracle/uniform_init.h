// Initial weights drawn uniformly, as the published code of some algorithms has them. The networks
// of this program's own oracles start from normal weights (oracle/network.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "handrail/oracle/network.h"

namespace handrail {

struct UniformInit {
  std::uint64_t seed = 0;
  // Tells the networks of one learner apart: each takes streams of its own.
  std::uint32_t network = 0;
  // Weights are uniform in [−bound, bound] and biases 0. None: each layer's weights and biases are
  // uniform within ±1/√inputs, PyTorch's default; a first layer that arms have for themselves then
  // counts the inputs of all of them, the encoding of dK features.
  std::optional<double> bound = std::nullopt;
};

// ±1/√inputs.
double fan_in_bound(std::size_t input_count);

// Which stream a tensor of a network is drawn from.
struct TensorPlace {
  std::size_t index = 0;  // below 256
  std::size_t block = 0;
};
void fill_uniform(const UniformInit& init, TensorPlace place, double bound,
                  std::span<double> values);

// For a network in the standard parametrisation without skip.
std::vector<double> uniform_parameters(const Network& network, const UniformInit& init);

}  // namespace handrail
