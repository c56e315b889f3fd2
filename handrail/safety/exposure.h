// What a gate is asked and what it says: the two sides of the inequality, and what it has to be
// told of rounds to say so.
#pragma once

#include <optional>

#include "handrail/core/decision.h"
#include "handrail/core/support.h"

namespace handrail {

// An upper bound on what exploration has cost so far, this candidate included.
struct Exposure {
  double value = 0.0;
  double margin = 0.0;  // the confidence part of `value`
};

// Exposure and what it is held against. Most gates take the ledger's allowance as it is.
struct Sides {
  Exposure exposure;
  double allowance = 0.0;
};

// What a gate may read of the round in question.
struct GateQuestion {
  const ArmFeatures* features = nullptr;  // null for a gate that does not read them
  Baseline baseline;
  ByArm costs;  // predicted; empty if the policy predicts nothing
  double regret_bound = 1.0;
  double allowance = 0.0;  // the ledger's
  // What Gate::sides_before() says of this round, if several candidates are asked for; none: it is
  // worked out for each.
  std::optional<Sides> before = std::nullopt;
};

// A decision whose cost is now known, as the gate needs it.
struct Revelation {
  const Observation& observation;
  bool charged = false;
  double centre = 0.0;
  // Whether the baseline's arm was played; and what the decision said of that arm.
  bool played_baseline = false;
  double baseline_centre = 0.0;
  double baseline_chance = 1.0;
};

// What the rest of the program has to know of a gate.
struct GateTraits {
  bool reads_candidate = false;  // the verdict may differ from arm to arm
  // Among the arms that it admits, the policy's choice is played: the one with the least index, or
  // a draw from the distribution given that it is admitted. Else the one candidate is judged.
  bool selects = false;
  bool reads_costs = false;         // predicted costs
  bool reads_features = false;      // so that an audit, which has none, must believe its sides
  bool uses_regret_bound = false;   // GateQuestion::regret_bound
  bool own_allowance = false;       // holds the exposure against another number than the ledger's
  bool certifies = false;           // slack() is a number
  bool needs_baseline_cost = true;  // at least a mean or a floor of it
  bool has_matrices = false;        // keeps a matrix of d × d numbers a block
  bool needs_fixed_arms = false;    // arm k is the same thing in every round: block features
  bool chooses_members = false;     // charges risky or open rounds; the others charge open ones
  // A draw of the baseline's own arm is no exploration, whatever the sides say: the choice is the
  // baseline.
  bool spares_baseline_arm = false;

  // Whether the one candidate is judged, and another might have been judged otherwise: then the
  // chance of an arm needs the verdict on every arm.
  constexpr bool judges_arms() const { return reads_candidate && !selects; }
};

}  // namespace handrail
