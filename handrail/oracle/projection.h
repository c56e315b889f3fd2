// Keeps every layer within a ball around where it started: |Δ_l| ≤ radius_l in the Frobenius norm,
// biases included, the first layer being one layer over all its blocks. The set is a product of
// balls, so projecting onto it shrinks each layer by itself.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/network_weights.h"

namespace handrail {

class Projection {
 public:
  // One radius a layer; infinity leaves that layer alone.
  Projection(std::vector<double> radii, std::span<const Segment> segments);

  std::span<const double> radii() const { return radii_; }

  // Call when the parameters came from elsewhere than a step.
  void measure(const NetworkWeights& parameters);

  // Projects after a step that touched the segments of these indices. Distances of the others are
  // remembered, so a step inside the balls costs a pass over what it touched.
  void apply(std::span<const std::size_t> touched, NetworkWeights& parameters);

 private:
  void project_layer(std::size_t layer, NetworkWeights& parameters);

  std::vector<double> radii_;
  std::vector<Segment> segments_;
  std::vector<double> squared_distances_;  // by segment: always those of the parameters themselves
};

}  // namespace handrail
