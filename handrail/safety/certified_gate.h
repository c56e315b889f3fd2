// The default gate. Exposure is a confidence bound on what the members really cost (confidence.h),
// plus the most that one more cost can be. It is valid for any policy, any oracle, any drift and
// any delay, if costs are in [0, 1]; and it does not see the candidate, since a verdict that reads
// the draw changes what was drawn from.
//
// Risky members are the rounds that played another arm than the baseline's: right where the
// baseline cost is the expected cost given the round's features, or a lower bound on it. Open
// members are all rounds that the gate admitted: right where the baseline cost is a mean over
// rounds. There, with risky members, a policy that plays the baseline's arm exactly where that is
// bad would break the promise unseen.
#pragma once

#include <cstdint>

#include "handrail/core/decision.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/entry.h"

namespace handrail {

enum class Members : std::uint8_t { kRisky = 0, kOpen = 1 };

extern const ParameterSpec kMembersRow;

// Which rounds a gate charges whose entry says `chooses_members`.
Members members_in(const PartFrame& frame);

// Hard maximum of one cost: what the next one is bounded by before it is drawn.
inline constexpr double kCostCap = 1.0;

bool is_member(Members members, const Decision& decision);

// Ub + cap; the margin is what of Ub was not seen.
Exposure certified_exposure(double cost_bound, double observed);

class CertifiedGate final : public Gate {
 public:
  CertifiedGate(double delta, BoundKind bound, Members members)
      : bound_(delta, bound), members_(members) {}

  Exposure exposure() const { return certified_exposure(bound_.upper(), bound_.observed()); }
  Members members() const { return members_; }
  // The bound on what the members so far really cost.
  double cost_bound() const { return bound_.upper(); }

  Sides sides(const GateQuestion& question, ArmIndex /*candidate*/,
              Scratch& /*scratch*/) const override {
    return {.exposure = exposure(), .allowance = question.allowance};
  }
  bool charges(const Decision& decision) const override { return is_member(members_, decision); }
  void book(const Decision& decision, bool charged) override {
    if (charged) book_member(decision.centre);
  }
  void reveal(const Observation& observation) override {
    if (observation.charged) reveal_member(observation.centre, observation.cost);
  }
  std::optional<double> slack(double earned) const override { return earned - cost_bound(); }

  void book_member(double centre) { bound_.add_member(centre); }
  void reveal_member(double centre, double cost) { bound_.reveal(centre, cost); }

  void save(ByteWriter& out) const override { bound_.save(out); }
  Status load(ByteReader& in) override { return bound_.load(in); }

 private:
  CostBound bound_;
  Members members_;
};

CertifiedGate certified_gate_in(const PartFrame& frame);

extern const GateEntry kCertifiedGate;

}  // namespace handrail
