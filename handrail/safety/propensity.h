// The chance that a round ends with an arm, gate included.
#pragma once

#include <cstdint>
#include <span>

#include "handrail/core/distribution.h"

namespace handrail {

// `admitted[a]` says whether the gate would have let arm a be played, had it been drawn. A refused
// draw ends on the baseline's arm, so its chance is its own probability plus that of every refused
// arm. Logging p_a alone would bias every off-policy estimate made from the log.
double propensity_of(const Distribution& distribution, ArmIndex arm, ArmIndex baseline_arm,
                     std::span<const std::uint8_t> admitted);

}  // namespace handrail
