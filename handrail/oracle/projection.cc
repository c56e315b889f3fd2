#include "handrail/oracle/projection.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace handrail {

Projection::Projection(std::vector<double> radii, std::span<const Segment> segments)
    : radii_(std::move(radii)),
      segments_(segments.begin(), segments.end()),
      squared_distances_(segments.size(), 0.0) {}

void Projection::measure(const NetworkWeights& parameters) {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    squared_distances_[i] = squared_distance(parameters, segments_[i]);
  }
}

void Projection::apply(std::span<const std::size_t> touched, NetworkWeights& parameters) {
  const auto unbounded = [](double radius) { return std::isinf(radius); };
  if (std::ranges::all_of(radii_, unbounded)) return;
  for (const std::size_t i : touched) {
    squared_distances_[i] = squared_distance(parameters, segments_[i]);
  }
  for (std::size_t layer = 0; layer < radii_.size(); ++layer) project_layer(layer, parameters);
}

void Projection::project_layer(std::size_t layer, NetworkWeights& parameters) {
  double squared = 0.0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (segments_[i].layer == layer) squared += squared_distances_[i];
  }
  const double radius = radii_[layer];
  if (!(squared > radius * radius)) return;
  const double factor = radius / std::sqrt(squared);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (segments_[i].layer != layer) continue;
    shrink(factor, segments_[i], parameters);
    squared_distances_[i] = squared_distance(parameters, segments_[i]);
  }
}

}  // namespace handrail
