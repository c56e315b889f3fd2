// The gate of C-LinUCB (Kazerouni et al. 2017), in the form for costs: what all explored rounds and
// the candidate cost together is zᵀθ* with z the sum of their features, and the confidence
// ellipsoid bounds that at once. It holds for linear costs only; on others it is not safe.
#pragma once

#include <cstdint>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/entry.h"

namespace handrail {

// A value, with an ellipsoid of its own: the policy's may have learned from other rounds.
class EllipsoidGate final : public Gate {
 public:
  EllipsoidGate(const EllipsoidConfig& config, const FeatureLayout& layout);

  // value = min(zᵀθ̂ + β|z|_{V⁻¹}, m + 1), where z includes the candidate and m counts the explored
  // rounds before it. The margin is what of the value lies beyond the estimate zᵀθ̂, 0 if the
  // estimate lies beyond the value.
  Exposure exposure(const ArmView& candidate, Scratch& scratch) const;

  // An explored round plays `played`. Charged when it is played, not when its cost arrives:
  // feedback may be late or lost, and what is spent only on news is no budget.
  void book(const ArmView& played);

  // The cost of an explored round has arrived.
  void observe(const ArmView& played, double cost);

  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override {
    return {.exposure = exposure(question.features->arm(candidate), scratch),
            .allowance = question.allowance};
  }
  void book(const Decision& decision, bool charged) override {
    if (charged) book(decision.features);
  }
  void reveal(const Observation& observation) override {
    if (!observation.charged) return;
    observe(observation.features, observation.cost);
  }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  ConfidenceEllipsoid ellipsoid_;
  std::vector<double> feature_sum_;  // Z, block after block
  std::uint64_t explored_ = 0;       // m
};

extern const GateEntry kEllipsoidGate;

}  // namespace handrail
