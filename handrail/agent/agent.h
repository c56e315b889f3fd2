// One agent: a policy that proposes, a gate that bounds, a ledger that decides.
//
//   plan    is const and repeatable: the same round gives the same decision, bit for bit;
//   accept  is const and does the refusing of feedback;
//   apply   is the only thing that changes an agent. It makes no choices and cannot fail.
//
// So a server can plan, write down, then apply; and a replay that only applies ends in the same
// state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/core/decision.h"
#include "handrail/core/distribution.h"
#include "handrail/core/support.h"
#include "handrail/oracle/kernels/isa.h"

namespace handrail {

struct AgentConfig;

struct AgentSettings {
  std::string agent = "c-squarecb";  // SPEC: NAME[:key=value,…]; `handrail agents` lists them
  double alpha = 0.1;                // tolerance: cost ≤ (1 + alpha) × the baseline's
  double delta = 0.05;               // chance that the promise may fail
  double reserve = 0.0;              // allowance given once, in units of cost
  std::uint64_t seed = 1;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;  // what Baseline::cost will be
  FeatureLayout layout = {};                                // what the rounds will show
};

// The caller's scratch memory, and what the last plan() made of its round. One a thread.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  // The arms that the next two speak of; empty: all arms, in order.
  Support support() const;
  std::span<const double> predicted_costs() const;  // empty if the policy predicts nothing
  const Distribution& distribution() const;         // what the candidate was drawn from
  // Whether the distribution says what the chance of an arm was: not if it is one draw of a policy
  // that draws for itself.
  bool shows_chances() const;
  std::optional<double> gamma() const;         // none without gap weighting
  std::optional<double> regret_bound() const;  // what the gate used, if it uses one

 private:
  friend class Agent;
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// Feedback that accept() found good, and that apply() therefore can book. Only accept() makes one,
// for the agent that made the decision.
class AcceptedFeedback {
 public:
  const Feedback& feedback() const { return feedback_; }

 private:
  friend class Agent;
  explicit AcceptedFeedback(const Feedback& feedback) : feedback_(feedback) {}
  Feedback feedback_;
};

// A log that accept() found good. It views the plays and their features until it is applied.
class AcceptedLog {
 public:
  std::span<const LoggedPlay> plays() const { return plays_; }

 private:
  friend class Agent;
  explicit AcceptedLog(std::span<const LoggedPlay> plays) : plays_(plays) {}
  std::span<const LoggedPlay> plays_;
};

// The accounts, as they stand.
struct Account {
  std::uint64_t decisions = 0;
  std::uint64_t explored = 0;
  std::uint64_t baseline_played = 0;
  std::uint64_t pending = 0;    // decisions whose cost is not known yet
  std::uint64_t given_up = 0;   // decisions past the bound on pending ones: charged at 1 for good
  std::optional<double> slack;  // certified gate: the true slack is at least this
  std::uint64_t logged_plays = 0;  // that the policy learned from before the first decision
};

struct WaitingDecision {
  std::uint64_t sequence = 0;
  ArmIndex arm = 0;

  friend bool operator==(const WaitingDecision&, const WaitingDecision&) = default;
};

class Agent {
 public:
  // Refuses settings that make no sense, each with a sentence.
  static Result<Agent> make(const AgentSettings& settings);
  // The same for a SPEC that was parsed before: what the settings say of it is not read.
  static Result<Agent> make(const AgentSettings& settings, const AgentConfig& config);

  Agent(Agent&&) noexcept;
  Agent& operator=(Agent&&) noexcept;
  ~Agent();

  // What to do in this round. Refuses a round of another layout than the agent was made for. The
  // decision views the round's features, or the workspace, until it is applied.
  Result<Decision> plan(const Round& round, Workspace& workspace) const;
  // Books the decision that plan() gave last, exactly once; its cost counts 1 until it is known.
  void apply(const Decision& decision);

  // Refuses, and changes nothing: a decision that was never made, was answered before or was given
  // up, and a cost outside [0, 1], whose decision stays charged at 1. The error is the alarm: costs
  // that leave [0, 1] void the promise. Rounds that played the baseline want feedback too, or they
  // fill the list of pending decisions.
  Result<AcceptedFeedback> accept(const Feedback& feedback) const;
  // Books it, exactly once. If its decision was given up since, it stays charged at 1.
  void apply(const AcceptedFeedback& accepted);

  // A warm start: plays of the past, before the first decision. Refuses, and changes nothing: a log
  // after a decision, features of another number or not finite, an arm that is not there, costs
  // outside [0, 1], propensities outside (0, 1].
  Result<AcceptedLog> accept(std::span<const LoggedPlay> log) const;
  // Teaches the policy every play in order, as rounds that played the baseline, whatever
  // learn_from_baseline says of later ones. Ledger and gate never hear of it: a log earns nothing
  // and costs nothing, so that no promise depends on who wrote it.
  void apply(const AcceptedLog& accepted);

  // Everything, so that an agent made from it goes on bit for bit. save() writes a file that is
  // whole or absent; load() refuses one that is not whole.
  Status save(const std::string& path) const;
  static Result<Agent> load(const std::string& path);

  // The same as bytes without a checksum, for stores that keep their own files whole: damaged bytes
  // may load as another agent. `place` names them in errors.
  std::string state() const;
  static Result<Agent> from_state(std::string_view bytes, std::string_view place);

  const AgentSettings& settings() const;  // with the SPEC spelled out in full
  const AgentConfig& config() const;      // what that SPEC stands for
  // The vector instructions in use: the widest that this processor has, or what HANDRAIL_ISA pins.
  Isa isa() const;
  Account account() const;
  // Where the Reg of the paper's and the model's gate comes from: "given", the "oracle", or
  // "assumed".
  std::string_view regret_bound_source() const;
  std::size_t pending_limit() const;
  // The decisions that wait for their cost, oldest first.
  std::vector<WaitingDecision> pending() const;

 private:
  struct Parts;
  explicit Agent(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace handrail
