// The gate of BudgetFirst (Wu et al. 2016), in the form for costs: plays the baseline until that
// has earned all that the learner may ever lose, then opens and stays so. Where the learner's
// regret after s rounds is at most C√s and what the baseline will cost is at least μ, that is
// enough once
//
//   C√s ≤ E + α·μ·s  for all s   ⇔   C ≤ 2√(E·α·μ),      E = α·Σ(baseline costs so far) + reserve
//
// (the least of E/√s + αμ√s). The two sides are the gate's exposure and allowance: rates of regret
// by the root of rounds. With E = αμt₀ this is the paper's t₀ = C²/(4α²μ²).
//
// It promises what C promises: nothing if the learner's regret is not bounded so. It never looks
// again at what the learner really costs. It exists to be compared with.
//
// What the baseline will cost is taken to be at least the least that it was said to cost so far;
// with arms that cost the same in every round that is what it costs. Unknown costs are bounded from
// below by the arm's interval.
#pragma once

#include "handrail/oracle/oracle.h"
#include "handrail/safety/arm_accounts.h"
#include "handrail/safety/entry.h"

namespace handrail {

struct BudgetConfig {
  ArmWidthConfig width = {};
  double regret_rate = 1.0;  // C
  bool baseline_known = true;
  double alpha = 0.1;
  double reserve = 0.0;
};

class BudgetGate final : public Gate {
 public:
  explicit BudgetGate(const BudgetConfig& config) : config_(config), accounts_(config.width) {}

  // All of the exposure is margin: none of it was seen.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;

  // What was earned is frozen with the first explored round, so that the verdict stays.
  void book(const Decision& decision, bool charged) override;
  void reveal(const Observation& observation) override {
    if (!opened_) accounts_.reveal(observation.arm, observation.cost);
  }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  // What baseline rounds cost so far, and at least will: known numbers, or bounds from below.
  struct BaselineCosts {
    double sum = 0.0;
    double least = 1.0;
  };
  BaselineCosts costs(const Baseline& now) const;

  BudgetConfig config_;
  bool opened_ = false;
  BaselineCosts known_;
  ArmAccounts accounts_;  // of the rounds before it opened
};

extern const GateEntry kBudgetGate;

}  // namespace handrail
