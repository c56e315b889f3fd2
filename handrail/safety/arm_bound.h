// What one arm costs at most in this round, if costs are linear: the ellipsoid's upper bound, and
// never more than a cost can be.
#pragma once

#include "handrail/oracle/ellipsoid.h"
#include "handrail/safety/exposure.h"

namespace handrail {

// value = min(1, φᵀθ̂ + β|φ|_{V⁻¹}). The margin is what of it lies beyond the estimate, 0 if that
// lies beyond the value.
Exposure arm_bound(const ConfidenceEllipsoid& ellipsoid, const ArmView& arm);

}  // namespace handrail
