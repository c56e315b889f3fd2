// What the built-in worlds share.
#pragma once

#include <span>

#include "handrail/base/random.h"
#include "handrail/env/environment.h"
#include "handrail/env/world_spec.h"

namespace handrail {

// Streams of Purpose::kWorld.
inline constexpr std::uint64_t kDirectionStream = 0;
inline constexpr std::uint64_t kMatrixStream = 1;
inline constexpr std::uint64_t kPermutationStream = 2;

// A vector of the given norm whose direction is uniform on the sphere.
void draw_direction(RandomStream stream, double norm, std::span<double> out);

// √2, but shorter by more than the rounding of products with d features that show x/√2: those of
// two unit vectors may exceed 1, and the cost ½ + ½⟨a, x⟩ would leave [0, 1]. (2d + 12) · 2^-53 is
// the most, and no cost is ever repaired.
double direction_norm(std::size_t dimension);

// The arm of round t with this expected cost is played.
Outcome outcome_of(const WorldConfig& config, std::uint64_t t, ArmIndex arm, double expected_cost);

}  // namespace handrail
