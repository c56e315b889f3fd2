// Safety in every single round, for linear costs. This is a different promise from that of the
// other gates: they bound a running sum, and let a round be dear that earlier ones have paid for.
// Here nothing is banked: no round may be expected to cost more than (1+α) times the baseline in
// that round, and what was saved before, or a reserve, buys nothing.
//   play only a with  min(1, φ_aᵀθ̂ + β|φ_a|_{V⁻¹}) ≤ (1+α)·l_t,  else the baseline
// l_t is the round's baseline cost or a lower bound on it. The policy's choice among those arms is
// played: the one with the least index, or a draw given that it passes.
//
// Theorem. If costs are φᵀθ* with |θ*| ≤ W and noise within σ, then with probability at least 1 − δ
// every round that is ever played has h(a_t) ≤ (1+α) h(b_t). Proof. With that probability θ* is in
// the ellipsoid of every round, so an arm that passes costs at most its bound; and the baseline
// costs h(b_t). ∎ Summed up, the constraint on running sums follows.
//
// For linear costs only: without a model nothing can be said of an arm before it was played. Late
// costs only make the ellipsoid learn later, if delays do not depend on costs. Where the baseline
// cost is a mean, the bound is (1+α) times the mean, which a single round of the baseline may well
// exceed.
//
// The ellipsoid learns from every cost that arrives, but the fallback does not explore: it plays
// the baseline's arm itself, where the literature perturbs it (Moradipari et al. 2020, for convex
// sets of arms). So if the baseline's features never span those of a better arm, as with block
// features, such an arm is never tried, and the gate stays shut to it for ever.
#pragma once

#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/arm_bound.h"
#include "handrail/safety/entry.h"

namespace handrail {

// A value.
class StagewiseGate final : public Gate {
 public:
  StagewiseGate(double alpha, const EllipsoidConfig& config, const FeatureLayout& layout)
      : alpha_(alpha), ellipsoid_(config, layout) {}

  // The exposure is that of this round alone.
  Sides sides(const GateQuestion& question, ArmIndex candidate,
              Scratch& /*scratch*/) const override {
    return {.exposure = arm_bound(ellipsoid_, question.features->arm(candidate)),
            .allowance = (1.0 + alpha_) * question.baseline.cost};
  }
  void book(const Decision& /*decision*/, bool /*charged*/) override {}  // nothing is banked
  void reveal(const Observation& observation) override {
    ellipsoid_.add(observation.features, observation.cost);
  }

  void save(ByteWriter& out) const override { ellipsoid_.save(out); }
  Status load(ByteReader& in) override { return ellipsoid_.load(in); }

 private:
  double alpha_;  // constant after construction
  ConfidenceEllipsoid ellipsoid_;
};

extern const GateEntry kStagewiseGate;

}  // namespace handrail
