// SpannerIGW (Zhu, Foster, Langford and Mineiro 2022): gap weighting for linear costs whose price
// is the number of features and not of arms. Draws one of the d arms of a spanner uniformly and
// keeps it with probability d/(1 + d + ι·gap), else plays the greedy arm: each spanner arm is
// played with probability 1/(1 + d + ι·gap), and the greedy one with what they leave.
//
// It needs a linear model, and has one of its own: ridge regression with the λ of `lambda`. Gaps
// are those of predictions clipped to [0, 1], which costs never leave; the spanner is weighted by
// the plain ones, since only these are sums over the factors of a product.
#pragma once

#include <memory>

#include "handrail/explore/gamma.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct SpannerIgwConfig {
  GammaConfig gamma = {};  // ι
  double lambda = 1.0;
};

// With block features each arm is a direction of its own: the spanner is all K arms, and d is K.
// Where a row is too long to be learned from, the baseline's arm is proposed: no spanner would mean
// anything.
std::unique_ptr<Policy> make_spanner_igw(const SpannerIgwConfig& config,
                                         const FeatureLayout& layout);

extern const PolicyEntry kSpannerIgwPolicy;

}  // namespace handrail
