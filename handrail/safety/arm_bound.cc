#include "handrail/safety/arm_bound.h"

#include <algorithm>

#include "handrail/safety/certified_gate.h"

namespace handrail {

Exposure arm_bound(const ConfidenceEllipsoid& ellipsoid, const ArmView& arm) {
  const LinearEstimate estimate = ellipsoid.gram().estimate_arm(arm);
  const double value = std::min(kCostCap, ellipsoid.upper(estimate));
  return {.value = value, .margin = value - std::min(estimate.cost, value)};
}

}  // namespace handrail
