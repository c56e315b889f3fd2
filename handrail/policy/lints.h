// Linear Thompson sampling (Agrawal and Goyal 2013): draws a linear model θ~ ~ N(θ̂, v²V⁻¹) from
// what is known of it, and plays the arm that is cheapest for that one.
//
// With block features an arm meets its own block of θ~ only, and blocks are independent: its cost
// under θ~ is N(φᵀθ̂, v²φᵀV⁻¹φ), independent of the other arms'. One normal an arm then has exactly
// the same distribution as all of θ~, at O(Kd²) a round and O(K) a draw. Rows share one θ~, which
// is drawn whole: O(d² + Kd) a draw.
//
// There is no closed form for the chance of an arm. From one draw it is unknown, and decisions have
// no propensity. From N draws the policy proposes how often each arm was cheapest, and the agent
// draws from that: the arm is distributed as with one draw, and its logged chance is exact given
// the N draws. As an estimate of the chance before they were drawn, it is unbiased, its standard
// error is at most 1/(2√N), and it is further off than √(log(2/δ')/(2N)) with a probability of at
// most δ' (Hoeffding).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "handrail/oracle/gram.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct LinTsConfig {
  double lambda = 1.0;  // of V = λI + Σ φφᵀ
  // v; none: the theory's R√(9D log(t/δ)), with D numbers in θ and t − 1 costs learned so far. It
  // is reported, not confirmed, and explores far too much in practice.
  std::optional<double> scale = 1.0;
  double sigma = 0.5;  // R, the sub-Gaussian scale of the noise
  double delta = 0.05;
  std::uint64_t draws = 1;  // N
};

// Its predicted costs are the estimates φᵀθ̂, clipped to [0, 1]. It learns from every observation
// that it is given.
std::unique_ptr<Policy> make_lints(const LinTsConfig& config, const FeatureLayout& layout);

extern const PolicyEntry kLinTsPolicy;

}  // namespace handrail
