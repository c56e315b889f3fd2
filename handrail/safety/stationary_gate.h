// The certified gate for a baseline whose cost nobody knows, under an ASSUMPTION that the other
// certified gates do without: the baseline's mean cost never changes. Drift of that mean breaks the
// promise, and the gate cannot notice. Where the baseline may drift, use certified-ips or
// certified-dr.
//
// Assumption: given all that happened before, and before a round's features are seen, playing the
// baseline costs the same number μ on average in every round (for example: rounds that are drawn
// independently from one population, and a baseline that is a fixed function of the features).
//
// The costs of the n shut rounds so far give a lower bound Lb_n on n·μ (baseline_bound.h with
// β = π = 1) and so l = max_n Lb_n / n ≤ μ, for all rounds, past ones included. Rounds in which the
// policy itself played the baseline's arm say nothing of μ: it may play it exactly where it is
// good. For the same reason the centre must not read the round's features: it is the mean of the
// known costs of shut rounds. The rest is the certified gate with open members and baseline cost l:
//
//   open  ⇔  Ub + 1  ≤  (1+α)(n_open + 1) l + α n_shut l + reserve
//
// With probability at least 1 − δ, shared by the two bounds, for all t at once
//   Σ_open c_i(a_i) + n_shut μ  ≤  (1+α) t μ + reserve:
// baseline rounds are charged their mean. If the baseline costs μ whatever the features are, that
// is the constraint itself; else both sides differ from the true sums by martingales, O(√t).
//
// The allowance is 0 until some rounds were shut: without a reserve of 1 the gate begins shut.
#pragma once

#include <cstdint>

#include "handrail/core/decision.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/baseline_bound.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/entry.h"
#include "handrail/safety/estimated_baseline_gate.h"
#include "handrail/safety/known_costs.h"
#include "handrail/safety/ledger.h"

namespace handrail {

struct StationaryConfig {
  LedgerTerms terms = {};
  SharedDelta delta = {};
  BoundKind bound = BoundKind::kMinimum;
};

class StationaryGate final : public Gate {
 public:
  explicit StationaryGate(const StationaryConfig& config);

  // The verdict does not see the candidate, nor anything else of the round in question.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;
  double baseline_centre(double predicted) const override;

  void book(const Decision& decision, bool charged) override;
  void reveal(const Observation& observation) override;

  std::optional<double> slack(double earned) const override;
  // l: at most the baseline's mean cost, under the assumption.
  double mean_bound() const { return mean_bound_; }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  // With l for every round so far, and `next` for one more.
  double allowance(double next) const;
  void raise_mean_bound();

  LedgerTerms terms_;  // constant after construction

  CostBound costs_;
  BaselineBound baseline_;  // over shut rounds
  std::uint64_t shut_ = 0;
  double mean_bound_ = 0.0;
  KnownCosts known_costs_;  // of shut rounds
};

extern const GateEntry kStationaryGate;

}  // namespace handrail
