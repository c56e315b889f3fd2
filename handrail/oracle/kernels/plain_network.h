// A plain network, one hidden layer of ReLU units for each arm and an output that sees only those,
// on its way there and back for one example: nothing is written down that the step of plain descent
// does not need. It holds no parameters.
#pragma once

#include "handrail/base/aligned_bytes.h"
#include "handrail/oracle/kernels/fast_network.h"
#include "handrail/oracle/kernels/product_kernels.h"

namespace handrail {

// One example. Views memory that somebody lends.
struct PlainPass {
  RowEntries row;
  std::size_t block = 0;
  float* units = nullptr;   // padded rows
  float* slopes = nullptr;  // scratch
  double output = 0.0;
};

class PlainNetwork {
 public:
  // Of a network that is_plain().
  PlainNetwork(const FastNetwork& network, Isa isa);

  PlainPass list(const ArmView& arm, AlignedBytes& memory) const;
  // Fills units and output. The sums begin with `start` in place of the biases, unless it is null.
  void run(const float* parameters, const float* start, PlainPass& pass) const;

  // On the way back, for a slope of the loss by f.
  PlainExample example(const PlainPass& pass, float coefficient) const;
  double squared_gradient(const float* parameters, const PlainPass& pass) const;  // |∇f|²
  PlainArm arm(float* parameters, std::size_t block) const;

 private:
  // By the sums of the units.
  const float* slopes(const float* parameters, const PlainExample& example,
                      const PlainPass& pass) const;

  const FastNetwork& fast_;
  const Network& network_;
  const LayerKernels& kernels_;
  const RowKernels& row_kernels_;
  std::size_t feature_count_;
  std::size_t width_;
};

}  // namespace handrail
