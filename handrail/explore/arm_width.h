// How far the mean cost of an arm's plays may be from what the arm costs, for all arms and all
// numbers of plays at once (Wu et al. 2016). For arms that cost the same in every round, whoever
// chooses which of them to play.
//
//   D(s) = √(ψ(s)/s),   lower cost = max(0, mean − D),   upper cost = min(1, mean + D)
//
// The paper has them for costs that are 1-sub-Gaussian. Those in [0, 1] are ½-sub-Gaussian, so that
// both forms fail with less than δ:
//   first   Hoeffding at every s: Σ_s 2K·exp(−2ψ(s)) ≤ 2.01·δ⁴/K³, below δ from two arms on;
//   second  Hoeffding's maximal inequality over stretches [1.2ᵏ, 1.2ᵏ⁺¹) of s: with ψ at least
//           log(6e²K/δ) + max(1, log log(1 + s)) the sum over k, arms and both sides is below δ/38.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/part_frame.h"

namespace handrail {

// kFirst grows with log s, kSecond with log log s: from a few plays on the second is narrower. At
// K = 4, δ = 0.05 ψ(1) is 8.8 and 9.8, ψ(1000) 50.2 and 11.0.
enum class ArmWidth : std::uint8_t { kFirst = 0, kSecond = 1 };

struct ArmWidthConfig {
  ArmWidth form = ArmWidth::kSecond;
  std::size_t arm_count = 1;  // K
  double delta = 0.05;
};

extern const ParameterSpec kArmWidthRow;

// For arms that are the same in every round: block features.
ArmWidthConfig arm_width_in(const PartFrame& frame);

// Plays of one arm, and the sum of their costs.
struct ArmPlays {
  std::uint64_t count = 0;
  double cost_sum = 0.0;
};

// ψ(s), s ≥ 1.
double psi_of(const ArmWidthConfig& config, double plays);

// 0 and 1 for an arm that was never played.
double lower_cost(const ArmWidthConfig& config, const ArmPlays& plays);
double upper_cost(const ArmWidthConfig& config, const ArmPlays& plays);

// C such that whoever plays the least lower cost, and is told every cost before the next round, has
// a regret of at most C√s after s rounds, for all s up to 2⁶³, wherever the widths hold:
//
//   C = √K·(1 + 4√ψ(2⁶³))
//
// Playing arm i with n plays behind it costs at most 2D(n) more than the best arm, since its lower
// cost is at most the best arm's; an arm's first play at most 1. So the regret is at most
// min(s, K + Σ_i Σ_{n<T_i} 2√(ψ/n)) ≤ √(Ks) + 4√(ψKs).
double ucb_regret_rate(const ArmWidthConfig& config);

}  // namespace handrail
