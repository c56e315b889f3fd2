// Asks a gate and plays one round through it as an agent would, for tests of gates that read
// features.
#pragma once

#include <vector>

#include "handrail/core/decision.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/exposure.h"
#include "handrail/safety/ledger.h"

namespace handrail {

// A round: its arms, the baseline, and what the ledger allows.
struct GateRound {
  ArmFeatures features;
  Baseline baseline = {};
  double allowance = 0.0;
};

template <typename Gate>
Sides ask(const Gate& gate, const GateRound& round, ArmIndex candidate) {
  Scratch scratch;
  const GateQuestion question = {.features = &round.features,
                                 .baseline = round.baseline,
                                 .costs = {},
                                 .allowance = round.allowance};
  return gate.sides(question, candidate, scratch);
}

// What becomes of the candidate.
template <typename Gate>
Decision decide(const Gate& gate, const GateRound& round, ArmIndex candidate) {
  const Sides sides = ask(gate, round, candidate);
  const bool admitted = admits(sides.exposure.value, sides.allowance);
  Decision decision;
  decision.choice = admitted ? Choice::kExplore : Choice::kBaseline;
  decision.candidate = candidate;
  decision.arm = admitted ? candidate : round.baseline.arm;
  decision.exposure = sides.exposure.value;
  decision.baseline = round.baseline;
  decision.centre = 0.5;
  decision.features = round.features.arm(decision.arm);
  decision.baseline_features = round.features.arm(round.baseline.arm);
  return decision;
}

template <typename Gate>
void book(Gate& gate, const Decision& decision) {
  gate.book(decision, gate.charges(decision));
}

// The cost of a decision whose features are still there.
template <typename Gate>
void reveal(Gate& gate, const Decision& decision, double cost) {
  gate.reveal({.features = decision.features,
               .arm = decision.arm,
               .choice = decision.choice,
               .cost = cost,
               .charged = gate.charges(decision),
               .centre = decision.centre,
               .played_baseline = decision.arm == decision.baseline.arm});
}

}  // namespace handrail
