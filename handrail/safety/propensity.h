// The chance that a round ends with an arm, gate included.
#pragma once

#include <cstdint>
#include <span>

#include "handrail/core/decision.h"
#include "handrail/core/distribution.h"

namespace handrail {

// `admitted[a]` says whether the gate would have let arm a be played, had it been drawn. A refused
// draw ends on the baseline's arm, so its chance is its own probability plus that of every refused
// arm. Logging p_a alone would bias every off-policy estimate made from the log.
double propensity_of(const Distribution& distribution, ArmIndex arm, ArmIndex baseline_arm,
                     std::span<const std::uint8_t> admitted);

// The same for a gate with one verdict for all arms: a draw that it admits ends where it fell, and
// what it refuses ends on the baseline's arm for certain.
inline double propensity_of(const Distribution& distribution, ArmIndex arm, Choice choice) {
  return choice == Choice::kExplore ? distribution[arm] : 1.0;
}

// What the chance of an arm becomes where p ← (1−ε)p + ε·1_b, with ε = `floor`.
inline double chance_with_floor(double chance, double floor, bool is_baseline) {
  return (1.0 - floor) * chance + (is_baseline ? floor : 0.0);
}

}  // namespace handrail
