// The certified gate for a constraint that is looked at only now and then: at the checkpoints, the
// rounds T_k = every, 2·every, … (Garcelon et al. 2020, in the form for costs). It promises nothing
// of the rounds between them, where the constraint may be broken, and is meant to be: what the
// baseline will earn until the next checkpoint can be spent before it. It reads no model.
//   open  ⇔  Ub_{t−1} + 1 ≤ allowance_t + α Σ_{i=t+1..T_k} l_i,     T_k the next checkpoint from t
//   on
// l_i is what the baseline will cost in rounds to come, at least: `future_cost`, or the cost of the
// round in question where that is the same in all rounds, a floor or a mean.
//
// Theorem. If the l_i of rounds to come add up to no more than what the baseline then costs, the
// constraint holds at all checkpoints at once with probability at least 1 − δ, for any policy, any
// oracle, any drift and any delay. Proof. On the event of confidence.h let s be the last charged
// round up to the checkpoint T, and T_k the next checkpoint from s on. The gate was open in s: what
// was charged through s exceeds what was earned by at most α Σ_{i=s+1..T_k} l_i. The rounds s+1..T
// all went to the baseline, each adding −α times its cost, and T ≥ T_k: so through T the excess is
// at most 0. ∎ It is the rounds after s that pay: the rest until T_k can go to the baseline, and
// goes there unless the gate, asked again, finds that it need not.
//
// With a future cost of 0 it is the certified gate. Which rounds are charged, and what that means
// where the baseline cost is a mean, is as in certified_gate.h. The slack is that of now, not that
// of the next checkpoint, and so may be negative in between.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "handrail/safety/certified_gate.h"
#include "handrail/safety/entry.h"

namespace handrail {

struct CheckpointConfig {
  double alpha = 0.1;
  std::uint64_t every = 1;                           // rounds from a checkpoint to the next
  std::optional<double> future_cost = std::nullopt;  // l; none: that of the round in question
};

// A value: the certified gate, and how many rounds there were.
class CheckpointGate final : public Gate {
 public:
  CheckpointGate(const CheckpointConfig& config, CertifiedGate certified)
      : config_(config), certified_(std::move(certified)) {}

  // Rounds after the one in question up to the next checkpoint: 0 if it is one.
  std::uint64_t rounds_to_come() const;

  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const override;
  bool charges(const Decision& decision) const override { return certified_.charges(decision); }
  void book(const Decision& decision, bool charged) override;
  void reveal(const Observation& observation) override { certified_.reveal(observation); }
  std::optional<double> slack(double earned) const override { return certified_.slack(earned); }

  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  CheckpointConfig config_;  // constant after construction
  CertifiedGate certified_;
  std::uint64_t rounds_ = 0;  // that were decided
};

extern const GateEntry kCheckpointGate;

}  // namespace handrail
