#include "handrail/explore/epochs.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// τ_m, given τ_{m−1}.
std::uint64_t end_of(std::uint64_t number, std::uint64_t start,
                     std::optional<std::uint64_t> horizon) {
  const std::uint64_t doubled = start == 0 ? 2 : 2 * start;
  if (!horizon.has_value() || start >= *horizon) return doubled;
  const double share = 1.0 - std::exp2(-static_cast<double>(number));
  const double end = std::ceil(2.0 * std::pow(static_cast<double>(*horizon), share));
  // The sequence tends to 2T; an epoch has at least one round.
  return std::max(start + 1, static_cast<std::uint64_t>(end));
}

}  // namespace

Epoch epoch_at(std::uint64_t known, std::optional<std::uint64_t> horizon) {
  HANDRAIL_ASSERT(known <= kMostKnownCosts);
  HANDRAIL_ASSERT(horizon.value_or(1) > 0 && horizon.value_or(1) <= kMostKnownCosts);
  Epoch epoch;
  epoch.end = end_of(1, 0, horizon);
  while (known >= epoch.end) {
    ++epoch.number;
    epoch.previous = epoch.start;
    epoch.start = epoch.end;
    epoch.end = end_of(epoch.number, epoch.start, horizon);
  }
  return epoch;
}

double falcon_gamma(const FalconGamma& config, const Epoch& epoch, std::uint64_t fitted,
                    std::size_t arm_count) {
  if (epoch.number == 1) return 0.0;
  // One example has no logarithm to divide by; two say hardly more.
  const double n = std::max(2.0, static_cast<double>(fitted));
  const auto m = static_cast<double>(epoch.number);
  const auto arms = static_cast<double>(arm_count);
  if (config.variant == FalconVariant::kFalcon) {
    // Positive: log(n)·m ≥ log(2)·2 > 1 > δ, and |F| ≥ 1.
    const double log_term = config.complexity + std::log(std::log(n) * m / config.delta);
    return config.factor.value_or(1.0 / 30.0) * std::sqrt(arms * n / log_term);
  }
  const double log_term = config.complexity * std::log(n) + std::log(2.0 * m * m / config.delta);
  const double excess = config.excess_scale * log_term / n;
  return config.factor.value_or(0.5) * std::sqrt(arms / excess);
}

}  // namespace handrail
