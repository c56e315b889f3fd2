// The two losses of the paper as functions of a network's raw output z: square loss reads z itself,
// log loss reads σ(z). Training uses the raw output; only predictions are clipped, which never
// raises the loss.
#pragma once

#include "handrail/oracle/activation.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// (z − y)², or y·log(1/σ(z)) + (1−y)·log(1/(1−σ(z))).
double loss_at(Loss loss, double output, double cost);

// ∂ loss_at / ∂ output: 2(z − y), or σ(z) − y.
inline double loss_slope(Loss loss, double output, double cost) {
  return loss == Loss::kLog ? sigmoid(output) - cost : 2.0 * (output - cost);
}

}  // namespace handrail
