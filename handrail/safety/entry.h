// All that the rest of the program may know of a gate, whichever it is. Every gate has one
// entry, in its own source; safety/registry.cc lists them all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "handrail/config/parameter.h"
#include "handrail/oracle/part_frame.h"
#include "handrail/safety/gate.h"

namespace handrail {

struct GateTraits {
  // A control for comparisons; nobody would rely on it (open, shut).
  bool is_control = false;
  bool never_admits = false;
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

// All that a gate may know of the policy before it.
struct LearnerTraits {
  std::string_view name;
  bool predicts = false;         // costs, one an arm
  bool promises_regret = false;  // Policy::regret_bound() is a number from the first round on
  bool ucb_regret = false;       // over arms without context, see PolicyEntry::ucb_regret
};

struct GateEntry {
  std::string_view name;
  std::string_view meaning;  // a line of `handrail agents`
  GateTraits traits = {};
  // The gate that NAME@paper has where NAME has this one; empty: this one.
  std::string_view paper_form = {};

  // Rows that the SPEC of every agent spells out, whatever its gate: traces and saves hold them.
  // For rows that several parts share.
  std::span<const ParameterSpec* const> common = {};
  // Rows that the SPEC of an agent with this gate spells out besides.
  std::span<const ParameterSpec> parameters = {};
  // Common rows that the header of every trace repeats beside the names of the parts.
  std::span<const ParameterSpec* const> header = {};

  std::unique_ptr<Gate> (*make)(const PartFrame& frame) = nullptr;
  // Refuses a policy that it cannot stand behind, with a sentence; null: it takes all.
  Status (*suits)(const LearnerTraits& learner, const ParameterValues& values) = nullptr;
  // Refuses what only the frame can decide, with a sentence; null: nothing is refused.
  Status (*check)(const PartFrame& frame) = nullptr;
};

// "gate=NAME", for errors.
inline std::string shown(const GateEntry& gate) {
  return "gate=" + std::string(gate.name);
}

}  // namespace handrail
