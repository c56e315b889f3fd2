// Gap weighting that never goes over all arms (SmoothIGW, Zhu and Mineiro 2022): draws an arm
// uniformly and keeps it with a chance that falls with its gap to the greedy arm, which is played
// otherwise. Beside the search for the greedy arm it asks the oracle once a decision.
//
// What it proposes is given its draw: the drawn arm, the greedy one and the baseline's. Over all
// draws an arm is played with exactly (1/K)·keep_chance, and the greedy arm with what the others
// leave; that sum nobody computes, so it is estimated from further draws, or unknown.
#pragma once

#include <memory>

#include "handrail/explore/gamma.h"
#include "handrail/explore/weighting.h"
#include "handrail/policy/entry.h"

namespace handrail {

enum class Acceptance : std::uint8_t {
  kSmooth = 0,  // 1/(1 + γ·gap): how much is explored does not depend on K
  kIgw = 1,     // K/(K + γ·gap): exactly the distribution of gap weighting over all arms
};

struct SmoothIgwConfig {
  Weighting weighting = Weighting::kAbsolute;
  GammaConfig gamma = {};
  Acceptance acceptance = Acceptance::kSmooth;
  std::size_t sweeps = 3;             // passes of the search; see RoundCosts::cheapest
  std::size_t propensity_draws = 64;  // for the greedy arm's chance; 0: it is unknown, never 1
};

// The search starts at the baseline's arm, so that the greedy arm is never predicted to be dearer.
// An arm that a search did not find and that is cheaper than the greedy one is always kept.
std::unique_ptr<Policy> make_smooth_igw(const SmoothIgwConfig& config,
                                        std::unique_ptr<Oracle> oracle);

extern const PolicyEntry kSmoothIgwPolicy;

}  // namespace handrail
