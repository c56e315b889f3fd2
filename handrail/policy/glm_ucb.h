// GLM-UCB with a logistic model, in the manner of Li, Lu and Zhou 2017: plays the arm whose cost
// could be the least, σ(φᵀθ̂) − a|φ|_{V⁻¹}, with V = λI + Σ φφᵀ. For costs that are near 0 or 1, as
// those of clicks and of classification are, where a line fits badly.
//
// Its bonus is a choice and no theorem: a linear gate's ellipsoid says nothing of this model, and
// it promises no regret bound. A gate that trusts neither, such as the certified one, is the one to
// put before it.
#pragma once

#include <memory>

#include "handrail/oracle/logistic.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct GlmUcbConfig {
  LogisticConfig logistic = {};
  double bonus = 0.03;  // a
};

// Its predicted costs are σ(φᵀθ̂). It learns from every observation that it is given.
std::unique_ptr<Policy> make_glm_ucb(const GlmUcbConfig& config, const FeatureLayout& layout);

extern const PolicyEntry kGlmUcbPolicy;

}  // namespace handrail
