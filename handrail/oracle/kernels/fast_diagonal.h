// The gradients that a network has met, a sum of squares a parameter: U_p = start + Σ (∂f/∂θ_p)².
// Sums are kept in double, since a long run adds small squares to large ones; what decisions read
// is their inverse in single precision, as new as the last sum.
#pragma once

#include <vector>

#include "handrail/base/aligned_bytes.h"
#include "handrail/base/bytes.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/fast_network.h"

namespace handrail {

class FastDiagonal {
 public:
  // Keeps a reference to the network. `start` is above 0.
  FastDiagonal(const FastNetwork& network, double start);

  // f and Σ_p (∂f/∂θ_p)² / U_p of every arm.
  void measure(const float* parameters, const ArmFeatures& features, AlignedBytes& memory,
               const ArmMeasures& measures) const;
  // Adds the squares of one arm's gradient.
  void meet(const float* parameters, const ArmView& arm);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void add_squares(std::size_t offset, const Products& products);

  const FastNetwork& network_;
  double start_;
  std::vector<double> sums_;  // U, laid out like the parameters
  AlignedFloats inverse_;     // 1 / U
  AlignedBytes memory_;       // scratch of meet()
};

}  // namespace handrail
