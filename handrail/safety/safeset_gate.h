// The safe-set rule of Garcelon et al. 2020, in the form for costs. What was spent is bounded as
// the certified gate does (confidence.h), without a model; only what the candidate may cost is
// bounded by a linear model, one arm at a time:
//   safe set = {a : Ub_{t−1} + min(1, φ_aᵀθ̂ + β|φ_a|_{V⁻¹}) ≤ allowance}.
// The policy's choice among those arms is played: the one with the least index, or a draw given
// that it is safe. If there is none, the baseline. Where the certified gate at δ/2 would be open
// every arm is in the set; where it is shut, arms that are known to be cheap still are. (The paper
// bounds what was spent by realised rewards minus a martingale term; Ub is the sharper such bound.)
//
// Theorem. If costs are φᵀθ* with |θ*| ≤ W and noise within σ, and the round's baseline cost is the
// expected one or a lower bound on it, the constraint holds in all rounds at once with probability
// at least 1 − δ. Proof. Ub fails with probability δ/2 at most, and so does the ellipsoid: δ is
// split between the two. Let s be the last charged round up to t. The charged rounds before it cost
// at most Ub_{s−1}, and it costs at most what its arm was bounded by, so the sum through s is
// within what was earned; later rounds play the baseline and add −α times its cost. ∎
//
// If costs are not linear, the bound on the candidate may be wrong by up to 1 in every charged
// round, and nothing is promised. But Ub comes to know what such rounds have cost, and the slack,
// earned − Ub, stays right with probability 1 − δ/2 whatever costs are: a model that errs is found
// out, after it has spent. Ub holds for any delay, the ellipsoid for delays that do not depend on
// costs. Which rounds are charged is as in certified_gate.h; where the baseline cost is a mean, the
// verdict reads features, so that the rounds it refuses may be dearer than that mean: the promise
// is then about the charged sums, which count those rounds at the mean, and not about true costs.
#pragma once

#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/entry.h"

namespace handrail {

struct SafeSetConfig {
  double delta = 0.05;  // of both bounds together; the δ in `ellipsoid` is not read
  BoundKind bound = BoundKind::kMinimum;
  Members members = Members::kRisky;
  EllipsoidConfig ellipsoid = {};
};

// A value, with an ellipsoid of its own, which learns from every cost that arrives.
class SafeSetGate final : public Gate {
 public:
  SafeSetGate(const SafeSetConfig& config, const FeatureLayout& layout);

  // The margin is what of Ub was not seen, and what of the candidate's bound is not its estimate.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;
  bool charges(const Decision& decision) const override { return is_member(members_, decision); }
  void book(const Decision& decision, bool charged) override {
    if (charged) bound_.add_member(decision.centre);
  }
  void reveal(const Observation& observation) override;
  std::optional<double> slack(double earned) const override { return earned - bound_.upper(); }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  CostBound bound_;
  Members members_;
  ConfidenceEllipsoid ellipsoid_;
};

extern const GateEntry kSafeSetGate;

}  // namespace handrail
