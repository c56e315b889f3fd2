// The gate of conservative UCB (Wu et al. 2016), in the form for costs: arms without context, each
// with an interval for what it costs. It is valid for any policy and any delay, if every arm costs
// the same in all rounds, in expectation; on arms with a context it is not safe.
//
// With N_i the charged plays of arm i, those while another arm was the baseline's, candidate J and
// the baseline's arm b:
//
//   known baseline cost     Σ_i N_i·upper_i + upper_J  ≤  the ledger's allowance
//   unknown baseline cost   Σ_i N_i·upper_i + upper_J  ≤  Σ_i ((1+α)B_i − U_i)·lower_i + reserve
//
// where B_i counts the rounds whose baseline was arm i, this one included, and U_i the plays of arm
// i while it was the baseline's. With one baseline arm for all rounds N_b = 0, N_i = T_i, and these
// are the paper's. That may change from round to round: U_i ≤ B_i, so every lower cost has a factor
// from 0 on, and both hold.
//
// It certifies no slack: the interval of an arm is a model, which contexts break.
//
// The baseline's own arm is no exploration, whoever proposes it. What is known of its cost may be a
// mean over rounds; its plays cost that on average, and no single one is held against it.
#pragma once

#include "handrail/oracle/oracle.h"
#include "handrail/safety/arm_accounts.h"
#include "handrail/safety/entry.h"

namespace handrail {

struct ArmwiseConfig {
  ArmWidthConfig width = {};
  bool baseline_known = true;
  double alpha = 0.1;  // the rest is for an unknown baseline cost
  double reserve = 0.0;
};

class ArmwiseGate final : public Gate {
 public:
  explicit ArmwiseGate(const ArmwiseConfig& config) : config_(config), accounts_(config.width) {}

  // Both sides without the candidate's own part: sums over all arms, the same for every candidate.
  std::optional<Sides> sides_before(const GateQuestion& question) const override;
  // The margin is what of the exposure lies beyond the means.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;

  // Plays of the baseline's arm are the baseline's, whoever proposed them.
  bool charges(const Decision& decision) const override {
    return decision.arm != decision.baseline.arm;
  }
  void book(const Decision& decision, bool charged) override { accounts_.book(decision, charged); }
  void reveal(const Observation& observation) override {
    accounts_.reveal(observation.arm, observation.cost);
  }

  void save(ByteWriter& out) const override { accounts_.save(out); }
  Status load(ByteReader& in) override { return accounts_.load(in); }

 private:
  double allowance(const GateQuestion& question) const;
  Exposure charged_so_far() const;

  ArmwiseConfig config_;
  ArmAccounts accounts_;
};

extern const GateEntry kArmwiseGate;

}  // namespace handrail
