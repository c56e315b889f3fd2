#include "handrail/env/world_parts.h"

#include <cmath>
#include <numbers>
#include <optional>

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

// Quickselect that moves nothing, so that a round needs no memory of its own: the range between
// `below` and `above` shrinks to a pivot of the right rank, after about 2 log K passes where costs
// are in random order.
ArmIndex arm_of_rank(std::span<const double> costs, std::size_t first, std::size_t rank) {
  const auto before = [&](std::size_t a, std::size_t b) {
    return costs[a] < costs[b] || (costs[a] == costs[b] && a < b);
  };
  std::optional<std::size_t> below;
  std::optional<std::size_t> above;
  for (;;) {
    std::size_t pivot = first;
    while ((below.has_value() && !before(*below, pivot)) ||
           (above.has_value() && !before(pivot, *above))) {
      ++pivot;
      HANDRAIL_ASSERT(pivot < costs.size());
    }
    std::size_t pivot_rank = 1;
    for (std::size_t arm = first; arm < costs.size(); ++arm) {
      if (before(arm, pivot)) ++pivot_rank;
    }
    if (pivot_rank == rank) return static_cast<ArmIndex>(pivot);
    (pivot_rank < rank ? below : above) = pivot;
  }
}

void set_baseline(std::size_t first, std::size_t rank, EnvironmentRound& out) {
  const ArmIndex arm = arm_of_rank(out.expected_costs, first, rank);
  out.baseline = {.arm = arm, .cost = out.expected_costs[arm]};
}

}  // namespace handrail
