#include "handrail/explore/weighting.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// Gives every arm but the greedy one probability_of(gap), and the greedy arm what is left.
template <typename ProbabilityOf>
Distribution weigh_gaps(std::span<const double> costs, Distribution recycled,
                        const ProbabilityOf& probability_of) {
  const ArmIndex z = greedy_arm(costs);
  std::vector<double> p = std::move(recycled).release();
  p.resize(costs.size());
  double others = 0.0;
  for (std::size_t a = 0; a < costs.size(); ++a) {
    if (a == z) continue;
    p[a] = probability_of(costs[a] - costs[z]);
    others += p[a];
  }
  p[z] = 1.0 - others;
  // Exactly 1/K would be too strict: with equal costs 1 − Σ falls short of it in the last bits.
  const auto arm_count = static_cast<double>(costs.size());
  HANDRAIL_ASSERT(p[z] >= 1.0 / arm_count - arm_count * 0x1.0p-52);
  return {std::move(p), z};
}

}  // namespace

ArmIndex greedy_arm(std::span<const double> costs) {
  HANDRAIL_ASSERT(!costs.empty());
  return static_cast<ArmIndex>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

Distribution weigh_absolute_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled) {
  HANDRAIL_ASSERT(gamma >= 0.0);
  const auto arm_count = static_cast<double>(costs.size());
  return weigh_gaps(costs, std::move(recycled),
                    [&](double gap) { return 1.0 / (arm_count + gamma * gap); });
}

Distribution weigh_relative_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled) {
  HANDRAIL_ASSERT(gamma >= 0.0);
  const auto arm_count = static_cast<double>(costs.size());
  const double least = costs[greedy_arm(costs)];
  HANDRAIL_ASSERT(least >= kRelativeCostFloor);
  return weigh_gaps(costs, std::move(recycled),
                    [&](double gap) { return least / (arm_count * least + gamma * gap); });
}

Distribution weigh(Weighting weighting, std::span<const double> costs, double gamma,
                   Distribution recycled) {
  return weighting == Weighting::kAbsolute ? weigh_absolute_gaps(costs, gamma, std::move(recycled))
                                           : weigh_relative_gaps(costs, gamma, std::move(recycled));
}

}  // namespace handrail
