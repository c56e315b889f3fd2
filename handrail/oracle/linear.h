// The fast oracle without a promise: a linear model that learns with an adaptive rate a coordinate,
// whatever the scale of each feature, and that never steps past the cost it was told. O(features)
// an arm. After Ross, Mineiro and Langford (2013) for the normalised, adaptive rates and
// Karampatziakis and Langford (2011) for the invariant step.
#pragma once

#include <memory>

#include "handrail/oracle/entry.h"
#include "handrail/oracle/kernels/isa.h"

namespace handrail {

struct LinearConfig {
  Loss loss = Loss::kSquare;
  double learning_rate = 0.5;
  // With log loss a cost y is learned as the chance ceiling·y, a number in (0, 1]. At 1 the output
  // that predicts a cost of 1 is infinite: an arm that always cost 1 needs long to be tried again.
  double ceiling = 1.0;
  Isa isa = Isa::kPortable;  // of its kernels
};

// A feature that it has never met says nothing: the first predictions are 0 with squared loss and
// ½/ceiling, at most 1, with log loss. One that is larger than ever met is read as if it were as
// large as the largest.
std::unique_ptr<Oracle> make_linear(const LinearConfig& config, const FeatureLayout& layout);

extern const OracleEntry kLinearOracle;

}  // namespace handrail
