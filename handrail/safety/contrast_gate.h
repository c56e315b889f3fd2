// For linear costs where nobody knows what the baseline costs: its arm is estimated along with the
// others, and never by itself. With z_t(a) = φ_a − (1+α)φ_b for a round that plays a beside the
// baseline's arm b, and Zc the sum of the z of all rounds, baseline rounds included, the constraint
// says of the true weights θ* that
//   Zcᵀθ* = Σ h(a_i) − (1+α) Σ h(b_i)  ≤  R0,    R0 the reserve, a deficit that is permitted.
// So the exposure is an upper bound G on the left side, the candidate included, and the allowance
// is R0. What costs a and b have in common cancels in z before it is bounded; bounds on each alone
// would add up.
//
//   G_t = min( G_{t−1} + zᵀθ̂ + β|z|_{V⁻¹},  (Zc + z)ᵀθ̂ + β|Zc + z|_{V⁻¹} )        carry, refresh
//
// In a round that plays b itself, z is −αφ_b, and the carried part is −α·max(0, φ_bᵀθ̂ −
// β|φ_b|_{V⁻¹}), for a cost is never negative. So G_t ≤ G_{t−1} there, and b is always admitted.
// The minimum is needed: a later ellipsoid need not lie inside an earlier one.
//
// Theorem. If costs are φᵀθ* with |θ*| ≤ W and noise within σ, the constraint holds in all rounds
// at once with probability at least 1 − δ. Proof. With that probability θ* is in the ellipsoid of
// every round (oracle/ellipsoid.h). Then both sides of the minimum bound Zcᵀθ*, by induction over
// rounds, whatever the ellipsoid has learned by then. A round that explores had G ≤ R0; one that
// plays b adds −αh(b) ≤ 0. ∎
//
// Late costs. Zc and G are booked when a decision is made, the ellipsoid learns when a cost
// arrives: the sum of features holds every round, known or not, and a θ* in the ellipsoid bounds
// that sum from whatever was learned. So costs may be late or lost, if whether and when they arrive
// does not depend on what they are, and if nothing in other rounds tells of a cost that is under
// way. Where high costs arrive later, those that are known are a biased sample, the ellipsoid is
// wrong, and nothing is promised; the certified gate holds there. Nor is anything promised of costs
// that are not linear.
#pragma once

#include <optional>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/entry.h"

namespace handrail {

struct ContrastConfig {
  double alpha = 0.1;
  double reserve = 0.0;  // R0
  EllipsoidConfig ellipsoid = {};
};

// A value. Never reads what a round says of the baseline's cost.
class ContrastGate final : public Gate {
 public:
  ContrastGate(const ContrastConfig& config, const FeatureLayout& layout);

  // The margin is what of G lies beyond the estimate (Zc + z)ᵀθ̂, 0 if the estimate lies beyond G.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;

  void book(const Decision& decision, bool charged) override;
  // Every cost that arrives is learned from, those of baseline rounds too.
  void reveal(const Observation& observation) override {
    ellipsoid_.add(observation.features, observation.cost);
  }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  double baseline_increment(const ArmView& baseline) const;
  void add_contrast(const ArmView& played, const ArmView& baseline, std::vector<double>& out) const;

  // Constant after construction.
  double alpha_;
  double reserve_;

  ConfidenceEllipsoid ellipsoid_;     // over all rounds
  std::vector<double> contrast_sum_;  // Zc, block after block
  double bound_ = 0.0;                // G
};

extern const GateEntry kContrastGate;

}  // namespace handrail
