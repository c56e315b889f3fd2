#include "handrail/core/distribution.h"

#include <cmath>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {

Distribution::Distribution(std::vector<double> probabilities, ArmIndex greedy_arm)
    : probabilities_(std::move(probabilities)), greedy_arm_(greedy_arm) {
  HANDRAIL_ASSERT(greedy_arm_ < probabilities_.size());
  double sum = 0.0;
  for (const double probability : probabilities_) {
    HANDRAIL_ASSERT(probability >= 0.0);
    sum += probability;
  }
  const double rounding = static_cast<double>(probabilities_.size()) * 0x1.0p-52;
  HANDRAIL_ASSERT(std::abs(sum - 1.0) <= rounding);
}

Distribution Distribution::certain(std::size_t arm_count, ArmIndex arm, Distribution recycled) {
  std::vector<double> probabilities = std::move(recycled).release();
  probabilities.assign(arm_count, 0.0);
  probabilities[arm] = 1.0;
  return {std::move(probabilities), arm};
}

Distribution Distribution::uniform(std::size_t arm_count, Distribution recycled) {
  std::vector<double> probabilities = std::move(recycled).release();
  probabilities.assign(arm_count, 1.0 / static_cast<double>(arm_count));
  return {std::move(probabilities), 0};
}

Distribution Distribution::with_floor(Distribution distribution, double floor) {
  if (floor == 0.0) return distribution;
  const ArmIndex greedy_arm = distribution.greedy_arm();
  std::vector<double> probabilities = std::move(distribution).release();
  const double share = floor / static_cast<double>(probabilities.size());
  for (double& probability : probabilities) probability = (1.0 - floor) * probability + share;
  return {std::move(probabilities), greedy_arm};
}

ArmIndex Distribution::sample(double u) const {
  HANDRAIL_ASSERT(u >= 0.0 && u < 1.0);
  double cumulative = 0.0;
  for (std::size_t arm = 0; arm < probabilities_.size(); ++arm) {
    cumulative += probabilities_[arm];
    if (u < cumulative) return static_cast<ArmIndex>(arm);
  }
  return greedy_arm_;
}

double Distribution::mean(std::span<const double> values) const {
  HANDRAIL_ASSERT(values.empty() || values.size() == probabilities_.size());
  double sum = 0.0;
  for (std::size_t arm = 0; arm < values.size(); ++arm) sum += probabilities_[arm] * values[arm];
  return sum;
}

std::vector<double> Distribution::release() && {
  return std::move(probabilities_);
}

}  // namespace handrail
