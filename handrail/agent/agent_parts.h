// The parts of an agent, and how it decides: from a proposal over the gate's verdict to a
// decision. Nothing here changes an agent.
#pragma once

#include <memory>
#include <optional>

#include "handrail/agent/agent.h"
#include "handrail/agent/config.h"
#include "handrail/agent/factory.h"
#include "handrail/agent/pending.h"
#include "handrail/agent/workspace_memory.h"
#include "handrail/explore/gamma.h"
#include "handrail/safety/ledger.h"
#include "handrail/safety/regret_bound.h"

namespace handrail {

// The gate's answer about a candidate, and the arm that is played.
struct Verdict {
  Sides sides;
  Choice choice = Choice::kBaseline;
  ArmIndex arm = 0;
};

// The chance of ending where a round ended, and of ending with the baseline's arm.
struct ArmChances {
  KnownChance played;
  double baseline = 1.0;
};

struct Agent::Parts {
  Parts(AgentSettings given, AgentConfig resolved, Isa kernels)
      : settings(std::move(given)),
        config(std::move(resolved)),
        isa(kernels),
        traits(config.gate->traits),
        given_reg(given_regret_bound(config.common)),
        reads_reg(traits.uses_regret_bound ||
                  reads_regret_bound(schedule_in(config.common, settings.delta).kind)),
        learns_baseline(learns_from_baseline(config)),
        policy(make_policy(config, frame_of(settings, isa))),
        gate(make_gate(config, frame_of(settings, isa))),
        least_baseline_chance(gate->least_baseline_chance()),
        ledger({.alpha = settings.alpha, .reserve = settings.reserve}),
        pending(pending_limit_of(config)) {}

  // 1 if nobody looks at it: an oracle may have to work for its promise.
  double regret_bound() const {
    if (given_reg.has_value()) return *given_reg;
    return reads_reg ? policy->regret_bound().value_or(1.0) : 1.0;
  }
  // Whether plan() is to list a round's features, and the list all that is kept of them.
  bool lists_features() const { return policy->reads_lists() && !traits.reads_features; }
  bool learns_from(Choice choice) const { return choice == Choice::kExplore || learns_baseline; }
  // Whether anybody will read the features of a round once its cost is known.
  bool keeps_features(Choice choice) const { return learns_from(choice) || traits.reads_features; }
  Result<Decision> decide(const Round& round, Workspace::Memory& memory) const;
  void propose(const Round& round, Workspace::Memory& memory, std::uint64_t sequence) const;
  GateQuestion question_of(const Round& round, const Workspace::Memory& memory) const;
  void mark_admitted(const Round& round, Workspace::Memory& memory) const;
  void select(const Round& round, Workspace::Memory& memory) const;
  Verdict judge(const Round& round, Workspace::Memory& memory, ArmIndex candidate) const;
  ArmChances chances_of(const Round& round, Workspace::Memory& memory,
                        const Verdict& verdict) const;
  KnownChance marginal_chance(const Round& round, const Proposal& proposal, ArmIndex arm) const;
  double centre_of(const ByArm& costs, ArmIndex arm) const {
    return costs.empty() ? ledger.charged_cost_mean() : costs[arm];
  }
  // Why a decision that does not wait for its cost does not.
  Error not_pending(std::uint64_t sequence) const;
  // Whether the pending decisions could be this agent's: asked of a state that was loaded.
  bool pending_fit() const;

  // Constant after construction.
  AgentSettings settings;
  AgentConfig config;
  Isa isa;
  GateTraits traits;
  std::optional<double> given_reg;  // the Reg that the SPEC gives
  bool reads_reg;                   // gate or schedule of γ
  bool learns_baseline;

  // The whole state. Changed by apply() and load only.
  std::unique_ptr<Policy> policy;
  std::unique_ptr<Gate> gate;
  double least_baseline_chance;  // the gate's; constant after construction
  Ledger ledger;
  PendingDecisions pending;
  std::uint64_t decisions = 0;
  std::uint64_t logged_plays = 0;
};

}  // namespace handrail
