#include "handrail/explore/weighting.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// In the order of Weighting.
constexpr std::array<std::string_view, 2> kWeightingWords = {"absolute", "relative"};

// In several runs, which become vectors and need not wait for each other.
double least_of(std::span<const double> costs) {
  constexpr std::size_t kLanes = 4;
  std::array<double, kLanes> least;
  least.fill(costs[0]);
  std::size_t a = 0;
  for (; a + kLanes <= costs.size(); a += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      least[lane] = std::min(least[lane], costs[a + lane]);
    }
  }
  for (; a < costs.size(); ++a) least[0] = std::min(least[0], costs[a]);
  return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

// Gives every arm but the greedy one z probability_of(gap), and z what is left.
template <typename ProbabilityOf>
Distribution weigh_gaps(std::span<const double> costs, ArmIndex z, Distribution recycled,
                        ProbabilityOf probability_of) {
  const double least = costs[z];
  std::vector<double> p = std::move(recycled).release();
  p.resize(costs.size());
  // For z too, so that the loop has no branch and becomes vectors; its 0 leaves the sum as it is.
  for (std::size_t a = 0; a < costs.size(); ++a) p[a] = probability_of(costs[a] - least);
  p[z] = 0.0;
  p[z] = 1.0 - std::accumulate(p.begin(), p.end(), 0.0);
  // Exactly 1/K would be too strict: with equal costs 1 − Σ falls short of it in the last bits.
  const auto arm_count = static_cast<double>(costs.size());
  HANDRAIL_ASSERT(p[z] >= 1.0 / arm_count - arm_count * 0x1.0p-52);
  return {std::move(p), z};
}

}  // namespace

constinit const ParameterSpec kWeightingRow = grouped(
    "policy", word_row("weighting", "igw: gaps of C-SquareCB (absolute) or of C-FastCB (relative)",
                       "absolute", kWeightingWords));

void floor_costs(Weighting weighting, std::span<double> costs) {
  if (weighting != Weighting::kRelative) return;
  for (double& cost : costs) cost = std::max(cost, kRelativeCostFloor);
}

ArmIndex greedy_arm(std::span<const double> costs) {
  HANDRAIL_ASSERT(!costs.empty());
  const double least = least_of(costs);
  // From the back and without a branch, which would be missed in most rounds.
  ArmIndex greedy = 0;
  for (std::size_t a = costs.size(); a-- > 0;) {
    greedy = costs[a] == least ? static_cast<ArmIndex>(a) : greedy;
  }
  return greedy;
}

Distribution weigh_absolute_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled) {
  HANDRAIL_ASSERT(gamma >= 0.0);
  const auto arm_count = static_cast<double>(costs.size());
  return weigh_gaps(costs, greedy_arm(costs), std::move(recycled),
                    [arm_count, gamma](double gap) { return 1.0 / (arm_count + gamma * gap); });
}

Distribution weigh_relative_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled) {
  HANDRAIL_ASSERT(gamma >= 0.0);
  const auto arm_count = static_cast<double>(costs.size());
  const ArmIndex z = greedy_arm(costs);
  const double least = costs[z];
  HANDRAIL_ASSERT(least >= kRelativeCostFloor);
  return weigh_gaps(costs, z, std::move(recycled), [arm_count, gamma, least](double gap) {
    return least / (arm_count * least + gamma * gap);
  });
}

double keep_chance(Weighting weighting, double kappa, double gamma, double cost, double least) {
  HANDRAIL_ASSERT(gamma >= 0.0 && kappa > 0.0);
  HANDRAIL_ASSERT(weighting == Weighting::kAbsolute || least >= kRelativeCostFloor);
  if (cost <= least) return 1.0;
  const double unit = kappa * (weighting == Weighting::kAbsolute ? 1.0 : least);
  return unit / (unit + gamma * (cost - least));
}

}  // namespace handrail
