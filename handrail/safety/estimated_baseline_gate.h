// The certified gates for a baseline whose cost nobody knows: certified-ips and certified-dr. What
// the baseline would have cost is bounded from below by what its arm cost where it was played
// (baseline_bound.h), what exploration has cost is bounded from above as in the certified gate
// (confidence.h), over all open rounds:
//
//   open  ⇔  Ub + 1  ≤  max(0, largest Lb so far) + reserve
//
// where Lb bounds Σ β_i q_i, with β = α in shut rounds and 1 + α in open ones, q_i being the
// baseline's expected cost in round i. Then Σ c_i(a_i) ≤ (1+α) Σ q_i + reserve at all rounds at
// once with probability at least 1 − δ, of which each bound takes its share. Proof. The two sides
// differ by Σ_open c_i(a_i) − Σ β_i q_i ≤ Ub − Lb. At the last open round the gate held that below
// the reserve with the cap of 1 for its cost; rounds after it are shut and add −α q_i ≤ 0. ∎
//
// It holds for any policy, any oracle, any drift of the costs, the baseline's own included, and any
// delay, if costs are in [0, 1] and the arm is drawn from the distribution that the policy proposed
// (given what a policy drew for itself, see baseline_bound.h). The price is that the baseline's arm
// has to be drawn now and then, or nobody learns what it costs: p ← (1−ε)p + ε·1_b.
//
// ips trusts the chances alone; its centre is the mean of the baseline's costs that are known. dr
// corrects a prediction of the baseline's cost and is narrower if that is good; but its rates are
// lower by the factor ε, so that it needs more rounds before it can say anything. A bad prediction
// makes it wide, never wrong.
#pragma once

#include <cstdint>

#include "handrail/core/decision.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/baseline_bound.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/entry.h"
#include "handrail/safety/known_costs.h"

namespace handrail {

// How δ is shared: δ·share for the bound on what exploration cost, the rest for the baseline's.
struct SharedDelta {
  double delta = 0.05;
  double share = 0.5;

  double of_costs() const { return delta * share; }
  double of_baseline() const { return delta - of_costs(); }
};

struct EstimatedBaselineConfig {
  double alpha = 0.1;
  double reserve = 0.0;
  SharedDelta delta = {};
  BoundKind bound = BoundKind::kMinimum;
  double baseline_floor = 1.0;  // ε, above 0
};

class EstimatedBaselineGate : public Gate {
 public:
  // The verdict does not see the candidate, nor anything else of the round in question.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;
  double least_baseline_chance() const override { return config_.baseline_floor; }
  double baseline_centre(double predicted) const override;

  void book(const Decision& decision, bool charged) override;
  void reveal(const Observation& observation) override;

  std::optional<double> slack(double /*earned*/) const override {
    return earned() - costs_.upper();
  }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 protected:
  EstimatedBaselineGate(Estimator estimator, const EstimatedBaselineConfig& config);

 private:
  double weight_of(Choice choice) const;  // β
  // What the baseline has earned, at least: Σ βq and the reserve.
  double earned() const { return baseline_.lower() + config_.reserve; }

  // Constant after construction.
  EstimatedBaselineConfig config_;
  Estimator estimator_;

  CostBound costs_;
  BaselineBound baseline_;
  KnownCosts known_costs_;  // of the baseline
};

extern const ParameterSpec kDeltaSplitRow;
SharedDelta shared_delta_in(const PartFrame& frame);

class IpsGate final : public EstimatedBaselineGate {
 public:
  explicit IpsGate(const EstimatedBaselineConfig& config)
      : EstimatedBaselineGate(Estimator::kIps, config) {}
};

class DrGate final : public EstimatedBaselineGate {
 public:
  explicit DrGate(const EstimatedBaselineConfig& config)
      : EstimatedBaselineGate(Estimator::kDr, config) {}
};

extern const GateEntry kIpsGate;
extern const GateEntry kDrGate;

}  // namespace handrail
