// Inverse gap weighting: from predicted costs to the distribution that an arm is drawn from. Pure
// functions; what the paper prints in Algorithms 1 and 2, each once.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "handrail/config/parameter_values.h"
#include "handrail/core/distribution.h"

namespace handrail {

enum class Weighting : std::uint8_t {
  kAbsolute = 0,  // C-SquareCB, Algorithm 1
  kRelative = 1,  // C-FastCB, Algorithm 2
};

extern const ParameterSpec kWeightingRow;

// Relative gaps divide by the least predicted cost, so they need costs of at least this.
inline constexpr double kRelativeCostFloor = 1e-6;

// Raises costs below that to it; leaves them as they are for absolute gaps.
void floor_costs(Weighting weighting, std::span<double> costs);

// z = argmin ŷ, ties to the lowest index.
ArmIndex greedy_arm(std::span<const double> costs);

// p_a = 1 / (K + γ(ŷ_a − ŷ_z)) for a ≠ z (Foster and Rakhlin 2020); the greedy arm z gets the rest.
// γ = 0 is uniform. `recycled` lends its memory.
Distribution weigh_absolute_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled);

// p_a = ŷ_z / (K ŷ_z + γ(ŷ_a − ŷ_z)) for a ≠ z (Foster and Krishnamurthy 2021); z gets the rest.
// Costs are at least kRelativeCostFloor.
Distribution weigh_relative_gaps(std::span<const double> costs, double gamma,
                                 Distribution recycled);

// κ / (κ + γ·gap), with gaps in units of the least cost if they are relative: the chance that an
// arm which was drawn from some measure is kept rather than exchanged for the greedy one (Zhu and
// Mineiro 2022). 1 for an arm that is no dearer than `least`. Drawn uniformly from K arms and kept
// with κ = K, an arm a ≠ z is played with exactly the probability above.
double keep_chance(Weighting weighting, double kappa, double gamma, double cost, double least);

inline Distribution weigh(Weighting weighting, std::span<const double> costs, double gamma,
                          Distribution recycled) {
  return weighting == Weighting::kAbsolute ? weigh_absolute_gaps(costs, gamma, std::move(recycled))
                                           : weigh_relative_gaps(costs, gamma, std::move(recycled));
}

}  // namespace handrail
