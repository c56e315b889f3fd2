#include "handrail/core/round.h"

#include <cmath>
#include <limits>
#include <string>

#include "handrail/base/text.h"

namespace handrail {
namespace {

Status check_finite(const ArmFeatures& features) {
  const std::span<const double> values = features.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string row = features.shape() == FeatureShape::kRows
                                ? "arm " + std::to_string(i / features.feature_count()) + ", "
                                : std::string();
    return Error{row + "feature " + std::to_string(i % features.feature_count()) + " is " +
                 to_text(values[i]) + "; a finite number was expected"};
  }
  return {};
}

}  // namespace

Status check_cost(double cost, std::string_view what) {
  if (cost >= 0.0 && cost <= 1.0) return {};  // false for NaN
  return Error{std::string(what) + " is " + to_text(cost) + "; a number in [0, 1] was expected"};
}

Result<Round> Round::make(const ArmFeatures& features, Baseline baseline) {
  const std::size_t rows = features.shape() == FeatureShape::kRows ? features.arm_count() : 1;
  if (features.feature_count() == 0) return Error{"an arm has 0 features; at least 1 was expected"};
  if (rows * features.feature_count() != features.values().size()) {
    return Error{std::to_string(features.values().size()) + " numbers do not divide into rows of " +
                 std::to_string(features.feature_count())};
  }
  if (features.arm_count() == 0) return Error{"a round has 0 arms; at least 1 was expected"};
  if (features.arm_count() > std::numeric_limits<ArmIndex>::max()) {
    return Error{"a round has " + std::to_string(features.arm_count()) +
                 " arms; at most 2^32 - 1 fit"};
  }
  if (baseline.arm >= features.arm_count()) {
    return Error{"the baseline arm is " + std::to_string(baseline.arm) + "; with " +
                 std::to_string(features.arm_count()) +
                 " arms, counted from 0, it must be below that"};
  }
  const Status cost = check_cost(baseline.cost, "the baseline cost");
  if (!cost.ok()) return cost.error();
  const Status finite = check_finite(features);
  if (!finite.ok()) return finite.error();
  return Round(features, baseline);
}

}  // namespace handrail
