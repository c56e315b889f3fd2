#include "handrail/core/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/base/lane_sum.h"

namespace handrail {
namespace {

double sum_of(std::span<const double> values) {
  const double* const all = values.data();
  return lane_sum(values.size(), [all](std::size_t i) { return all[i]; });
}

// 0 unless a number is below 0 or none at all.
std::size_t negative_count(std::span<const double> values) {
  std::size_t count = 0;
  for (const double value : values) count += static_cast<std::size_t>(!(value >= 0.0));
  return count;
}

// What the others leave: so that repeated arithmetic cannot carry the sum away from 1.
void give_rest(std::vector<double>& probabilities, ArmIndex arm) {
  probabilities[arm] = 0.0;
  probabilities[arm] = 1.0 - std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
}

bool is_one(double sum, std::size_t arm_count) {
  return std::abs(sum - 1.0) <= static_cast<double>(arm_count) * 0x1.0p-52;  // false for NaN
}

}  // namespace

void Distribution::check() const {
  HANDRAIL_ASSERT(greedy_arm_ < probabilities_.size());
  HANDRAIL_ASSERT(negative_count(probabilities_) == 0);
  HANDRAIL_ASSERT(is_one(sum_of(probabilities_), probabilities_.size()));
}

bool Distribution::sum_to_one(std::span<const double> probabilities) {
  return is_one(sum_of(probabilities), probabilities.size());
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

Distribution Distribution::toward(Distribution distribution, ArmIndex arm, double share) {
  if (share == 0.0) return distribution;
  const ArmIndex greedy_arm = distribution.greedy_arm();
  std::vector<double> probabilities = std::move(distribution).release();
  for (double& probability : probabilities) probability *= 1.0 - share;
  give_rest(probabilities, arm);
  return {std::move(probabilities), greedy_arm};
}

Distribution Distribution::given(Distribution distribution, std::span<const std::uint8_t> among) {
  std::vector<double> probabilities = std::move(distribution).release();
  HANDRAIL_ASSERT(among.size() == probabilities.size());
  double sum = 0.0;
  for (std::size_t arm = 0; arm < among.size(); ++arm) {
    if (among[arm] == 0) probabilities[arm] = 0.0;
    sum += probabilities[arm];
  }
  HANDRAIL_ASSERT(sum > 0.0);
  for (double& probability : probabilities) probability /= sum;
  const auto most = std::max_element(probabilities.begin(), probabilities.end());
  const auto greedy_arm = static_cast<ArmIndex>(most - probabilities.begin());
  give_rest(probabilities, greedy_arm);
  return {std::move(probabilities), greedy_arm};
}

ArmIndex Distribution::sample(double u) const {
  HANDRAIL_ASSERT(u >= 0.0 && u < 1.0);
  const std::span<const double> p = probabilities_;
  double before = 0.0;
  std::size_t arm = 0;
  // Four arms at a time: the next four wait for one addition, and a draw ends in one branch. An arm
  // of probability 0 ends where the arm before it does, so it is never drawn.
  for (; arm + 4 <= p.size(); arm += 4) {
    const double two = p[arm] + p[arm + 1];
    const double three = two + p[arm + 2];
    const double four = two + (p[arm + 2] + p[arm + 3]);
    if (u < before + four) {
      const int passed = static_cast<int>(u >= before + p[arm]) +
                         static_cast<int>(u >= before + two) +
                         static_cast<int>(u >= before + three);
      return static_cast<ArmIndex>(arm) + static_cast<ArmIndex>(passed);
    }
    before += four;
  }
  for (; arm < p.size(); ++arm) {
    before += p[arm];
    if (u < before) return static_cast<ArmIndex>(arm);
  }
  return greedy_arm_;
}

double Distribution::mean(std::span<const double> values) const {
  HANDRAIL_ASSERT(values.empty() || values.size() == probabilities_.size());
  const double* const p = probabilities_.data();
  const double* const y = values.data();
  return lane_sum(values.size(), [p, y](std::size_t arm) { return p[arm] * y[arm]; });
}

}  // namespace handrail
