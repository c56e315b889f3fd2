// Building blocks of the rounds of several worlds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "handrail/base/random.h"
#include "handrail/env/environment.h"

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

// The arm of the given rank by cost (1 the cheapest, ties to the lowest index) among arms first,
// first + 1, ….
ArmIndex arm_of_rank(std::span<const double> costs, std::size_t first, std::size_t rank);

// The baseline is the arm of that rank among those from `first` on, and its cost is told.
void set_baseline(std::size_t first, std::size_t rank, EnvironmentRound& out);

}  // namespace handrail
