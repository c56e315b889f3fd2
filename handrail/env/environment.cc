#include "handrail/env/environment.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

ArmFeatures features_of(const EnvironmentRound& round, const FeatureLayout& layout) {
  if (layout.shape == FeatureShape::kBlock) {
    return ArmFeatures::block(round.features, round.arm_count);
  }
  if (layout.shape == FeatureShape::kProduct) {
    return ArmFeatures::product(round.features, round.factors);
  }
  return ArmFeatures::rows(round.features, layout.feature_count);
}

}  // namespace

double listed_cost(const EnvironmentRound& round, ArmIndex arm) {
  HANDRAIL_ASSERT(arm < round.expected_costs.size());
  return round.expected_costs[arm];
}

double least_listed_cost(const EnvironmentRound& round) {
  HANDRAIL_ASSERT(!round.expected_costs.empty());
  return *std::min_element(round.expected_costs.begin(), round.expected_costs.end());
}

std::string_view to_text(EnvironmentKind kind) {
  return kind == EnvironmentKind::kWorld ? "world" : "data";
}

Round round_of(const EnvironmentRound& round, const FeatureLayout& layout) {
  const ArmFeatures features = features_of(round, layout);
  HANDRAIL_ASSERT(features.layout() == layout && features.arm_count() == round.arm_count);
  return Round::make(features, round.baseline).value();
}

}  // namespace handrail
