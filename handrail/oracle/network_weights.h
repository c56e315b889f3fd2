// The numbers that a network learns, in one array, beside the ones it started from.
//
// They come in segments: each block of the first layer, the first layer's biases, then one segment
// for each later layer, its weights followed by its biases. A step touches some segments and leaves
// the others alone. Each begins at a multiple of 128, so that the perturbation signs of any of them
// can be drawn alone; what lies between them is 0 and stays 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace handrail {

inline constexpr std::size_t kSegmentAlignment = 128;

struct Segment {
  std::size_t offset = 0;
  std::size_t size = 0;
  std::size_t layer = 0;  // from 0; the last is the output's
};

struct NetworkWeights {
  std::vector<double> values;
  std::vector<double> initial;  // a function of the seed, so never saved
};

// The part of an array laid out like the parameters that belongs to a segment.
std::span<double> part(std::span<double> all, const Segment& segment);
std::span<const double> part(std::span<const double> all, const Segment& segment);

// |Δ|² for the displacement Δ = values − initial of one segment.
double squared_distance(const NetworkWeights& parameters, const Segment& segment);

// Δ ← factor · Δ.
void shrink(double factor, const Segment& segment, NetworkWeights& parameters);

}  // namespace handrail
