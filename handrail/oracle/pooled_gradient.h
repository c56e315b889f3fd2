// The gradient of a network's output with respect to all its parameters, shortened by taking means
// of neighbours: what EE-Net's second network looks at.
//
// The parameters are in the order that PyTorch lists them in for the encoding of dK features: the
// first layer's weights unit by unit, each over the features of all blocks, the first layer's
// biases, the output's weights, the output's bias. Means are over `pool` neighbours in that order,
// the last pool filled up with zeros. An arm's gradient is zero outside its own block, so that only
// d of a unit's dK numbers are ever looked at, and of these only sums: O(units · d / pool) an arm.
#pragma once

#include <cstddef>
#include <span>

#include "handrail/oracle/network.h"

namespace handrail {

// What a gradient is made of, for a network with one hidden layer: all that has to be kept of it.
struct GradientFactors {
  ArmView arm;
  std::span<const double> units;   // that leave the hidden layer
  std::span<const double> slopes;  // of the output with respect to the sums that enter it
};

// A value.
class PooledGradient {
 public:
  // For networks with one hidden layer that arms have for themselves, in the standard
  // parametrisation without skip. Rows shorter than `least_size` are filled up with zeros.
  PooledGradient(const Network& network, std::size_t pool, std::size_t least_size);

  std::size_t size() const { return size_; }

  // What a complete trace of the network says of an arm's gradient.
  GradientFactors factors_of(const ArmView& arm, std::span<const double> trace) const;

  // Fills size() numbers. `prefix` is scratch for feature_count + 1.
  void fill(const GradientFactors& factors, std::span<double> prefix,
            std::span<double> pooled) const;

 private:
  void add_at(std::size_t place, double value, std::span<double> pooled) const;

  FeatureLayout layout_;
  std::size_t unit_count_;
  std::size_t pool_;
  std::size_t size_;
};

}  // namespace handrail
