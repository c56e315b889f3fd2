#include "handrail/env/world_parts.h"

#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"

namespace handrail {

void draw_direction(RandomStream stream, double norm, std::span<double> out) {
  double squares = 0.0;
  do {  // a second time only for the zero vector, which has no direction
    for (double& value : out) value = stream.normal();
    squares = inner_product(out, out);
  } while (squares == 0.0);
  const double scale = norm / std::sqrt(squares);
  for (double& value : out) value *= scale;
}

double direction_norm(std::size_t dimension) {
  return std::numbers::sqrt2 * (1.0 - (static_cast<double>(dimension) + 8.0) * 0x1.0p-52);
}

Outcome outcome_of(const WorldConfig& config, std::uint64_t t, ArmIndex arm, double expected_cost) {
  HANDRAIL_ASSERT(arm < world_arm_count(config));
  const bool noisy = config.noise.kind == NoiseKind::kBernoulli;
  const double cost = noisy ? bernoulli_cost(expected_cost, config.seed, t, arm) : expected_cost;
  return {.cost = cost, .arrives = config.delay.arrives(config.seed, t, arm, cost)};
}

}  // namespace handrail
