// LinUCB: plays the arm whose cost could be the least, φᵀθ̂ − a|φ|_{V⁻¹}, on a linear model with a
// confidence ellipsoid.
#pragma once

#include <memory>
#include <optional>

#include "handrail/oracle/ellipsoid.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct LinUcbConfig {
  EllipsoidConfig ellipsoid = {};
  std::optional<double> bonus_scale =
      std::nullopt;  // a; none: the ellipsoid's β, the choice of the theory
};

// Its predicted costs are the estimates φᵀθ̂, clipped to [0, 1]. It learns from every observation
// that it is given.
std::unique_ptr<Policy> make_linucb(const LinUcbConfig& config, const FeatureLayout& layout);

extern const PolicyEntry kLinUcbPolicy;

}  // namespace handrail
