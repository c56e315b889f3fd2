#include "handrail/env/environment.h"

#include "handrail/base/assert.h"

namespace handrail {
namespace {

ArmFeatures features_of(const EnvironmentRound& round, const FeatureLayout& layout) {
  if (layout.shape == FeatureShape::kBlock) {
    return ArmFeatures::block(round.features, round.arm_count);
  }
  return ArmFeatures::rows(round.features, layout.feature_count);
}

}  // namespace

std::string_view to_text(EnvironmentKind kind) {
  return kind == EnvironmentKind::kWorld ? "world" : "data";
}

Round round_of(const EnvironmentRound& round, const FeatureLayout& layout) {
  const ArmFeatures features = features_of(round, layout);
  HANDRAIL_ASSERT(features.layout() == layout && features.arm_count() == round.arm_count);
  return Round::make(features, round.baseline).value();
}

}  // namespace handrail
