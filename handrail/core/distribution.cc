#include "handrail/core/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

struct SumAndLeast {
  double sum = 0.0;
  double least = 0.0;  // or 0, if none is below
};

// Two sums side by side: one alone would wait for every single addition.
SumAndLeast sum_and_least(std::span<const double> values) {
  double even = 0.0;
  double odd = 0.0;
  double least = 0.0;
  std::size_t i = 0;
  for (; i + 2 <= values.size(); i += 2) {
    even += values[i];
    odd += values[i + 1];
    least = std::min(std::min(least, values[i]), values[i + 1]);
  }
  if (i < values.size()) {
    even += values[i];
    least = std::min(least, values[i]);
  }
  return {.sum = even + odd, .least = least};
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

Distribution::Distribution(std::vector<double> probabilities, ArmIndex greedy_arm)
    : probabilities_(std::move(probabilities)), greedy_arm_(greedy_arm) {
  HANDRAIL_ASSERT(greedy_arm_ < probabilities_.size());
  const auto [sum, least_probability] = sum_and_least(probabilities_);
  HANDRAIL_ASSERT(least_probability >= 0.0);
  HANDRAIL_ASSERT(is_one(sum, probabilities_.size()));
}

bool Distribution::sum_to_one(std::span<const double> probabilities) {
  return is_one(sum_and_least(probabilities).sum, probabilities.size());
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

}  // namespace handrail
