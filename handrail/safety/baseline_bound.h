// A lower bound, valid at all rounds at once, on what the baseline has earned where nobody knows
// what it costs: Σ β_i q_i, with q_i the expected cost of the baseline's arm in round i and β_i ≥ 0
// a weight that is fixed before the arm is drawn. It assumes that costs are in [0, 1] and that the
// chance of the baseline's arm is known, and nothing else: no model, no stationarity, no bound on
// delays.
//
// Theorem. In round i the baseline's arm is played with chance π_i, given everything that was fixed
// before the draw. X_i estimates β_i q_i from what is seen, and has it as its conditional mean:
//   inverse propensity (ips)   X = β · 1{a = b} · y / π
//   doubly robust (dr)         X = β · (v + 1{a = b} (y − v) / π)
// where the centre v_i ∈ [0, 1], a guess of q_i, is fixed before the draw too. Let the fall c be
// such that X_i − β_i v_i ≥ −c always: the largest β for ips, that over the least π for dr. With
// rates λ_j = 0.75 · 2^−j / c and the weights w_j of confidence.h, with probability at least 1 − δ,
// for all t at once,
//   Σ β_i q_i  ≥  Lb_t = Σ β_i v_i + max_j [Σ log(1 + λ_j (X_i − β_i v_i)) − log(1/(δ w_j))] / λ_j
// Proof. That of confidence.h with the sign reversed; it needs the lower bound on X − βv alone, so
// an X that is large does no harm. Σ βq never falls, so the largest Lb so far is a bound as well,
// and so is 0. ∎
//
// "Everything that was fixed" may include what a policy drew for itself before the arm was drawn
// from its distribution (Chances in policy/policy.h): given those draws too, π is the chance that
// this distribution gives the baseline's arm, and q does not depend on them. So the bound holds for
// policies whose chances are estimated or unknown from outside, as long as the arm is drawn by the
// distribution that they proposed.
#pragma once

#include <cstdint>

#include "handrail/base/bytes.h"
#include "handrail/safety/confidence.h"

namespace handrail {

enum class Estimator : std::uint8_t { kIps = 0, kDr = 1 };

// What the bound has to know of a round before its cost is known.
struct BaselineRound {
  double weight = 1.0;  // β
  double chance = 1.0;  // π
  double centre = 0.5;  // v
  bool played = true;   // whether a = b: if not, X is known already
};

// X − βv, if the baseline's arm cost `cost`.
double estimate_gap(Estimator estimator, const BaselineRound& round, double cost);

struct BaselineBoundConfig {
  Estimator estimator = Estimator::kIps;
  double fall = 1.0;  // c
  double delta = 0.05;
  BoundKind bound = BoundKind::kMinimum;
};

// The bound as costs come in. A cost of the baseline's arm counts 0 until it is known; the bound
// grows with every cost, so that is safe, also if the delay depends on the outcome.
class BaselineBound {
 public:
  explicit BaselineBound(const BaselineBoundConfig& config);

  // A round whose cost is not known yet.
  void add(const BaselineRound& round);
  // The cost of an earlier round, which is given as it was added.
  void reveal(const BaselineRound& round, double cost);

  // The largest Lb so far, and at least 0.
  double lower() const { return lower_; }
  // Lb of this moment, which may be below that.
  double current() const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  RateArray growth_of(const BaselineRound& round, double cost) const;

  // Constant after construction.
  BaselineBoundConfig config_;
  BoundTerms terms_;

  double centre_sum_ = 0.0;  // Σ βv
  RateArray growth_{};       // Σ log(1 + λ_j (X − βv))
  double lower_ = 0.0;
};

}  // namespace handrail
