// A gate bounds what exploration has cost so far, the candidate included: the exposure. The ledger
// holds that against what the baseline has earned. No gate knows of any policy.
#pragma once

#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/core/decision.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/exposure.h"

namespace handrail {

// The agent tells a gate every decision when it is made, and every cost when it arrives. What else
// the program has to know of a gate stands in its entry (safety/entry.h).
class Gate {
 public:
  virtual ~Gate() = default;

  // The two sides of the inequality for this candidate.
  virtual Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const = 0;
  // The part of sides() that all candidates share, if there is one: the agent asks for it once a
  // round and hands it back in GateQuestion::before.
  virtual std::optional<Sides> sides_before(const GateQuestion& /*question*/) const {
    return std::nullopt;
  }
  // The ε of p ← (1−ε)p + ε·1_b that a round must be drawn with: the baseline's arm keeps at least
  // that chance. 0 for a gate that does not need it. Never changes.
  virtual double least_baseline_chance() const { return 0.0; }
  // The guess of the baseline's cost in the next round that its decision is to carry, from what the
  // policy predicts: that, for a gate that has no better one. Fixed before the arm is drawn.
  virtual double baseline_centre(double predicted) const { return predicted; }

  // Whether the ledger is to charge this round to exploration.
  virtual bool charges(const Decision& decision) const {
    return decision.choice == Choice::kExplore;
  }
  virtual void book(const Decision& decision, bool charged) = 0;
  virtual void reveal(const Observation& /*observation*/) {}

  // What it certifies: earned, the ledger's, or a bound on that of its own, minus a bound on the
  // cost of the charged rounds. Nothing if it certifies nothing.
  virtual std::optional<double> slack(double /*earned*/) const { return std::nullopt; }

  // The whole state. load() is called on a gate of the same configuration; if it fails, the gate
  // is not used any more.
  virtual void save(ByteWriter& out) const = 0;
  virtual Status load(ByteReader& in) = 0;

 protected:
  Gate() = default;
  // Gates are values; a base alone is none.
  Gate(const Gate&) = default;
  Gate& operator=(const Gate&) = default;
};

}  // namespace handrail
