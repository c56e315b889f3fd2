// Inverse gap weighting over an oracle: C-SquareCB's and C-FastCB's way to explore. With relative
// gaps the predicted costs are floored at kRelativeCostFloor first, and shown so.
#pragma once

#include <memory>

#include "handrail/explore/gamma.h"
#include "handrail/explore/weighting.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct IgwConfig {
  Weighting weighting = Weighting::kAbsolute;
  GammaConfig gamma = {};
  double floor = 0.0;  // ε of p ← (1 − ε)p + ε/K
};

std::unique_ptr<Policy> make_igw(const IgwConfig& config, std::unique_ptr<Oracle> oracle);

extern const PolicyEntry kIgwPolicy;

}  // namespace handrail
