// All that the rest of the program may know of a policy, whichever it is. Every policy has
// one entry, in its own source; policy/registry.cc lists them all.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "handrail/config/parameter.h"
#include "handrail/explore/gamma.h"
#include "handrail/oracle/part_frame.h"
#include "handrail/policy/policy.h"

namespace handrail {

// γ of a round by the schedule that policies share.
inline double gamma_in(const GammaConfig& config, const Round& round, const History& history) {
  return gamma_of(config, {.arm_count = round.arm_count(),
                           .explored = history.explored,
                           .explored_cost_sum = history.explored_cost_sum,
                           .regret_bound = history.regret_bound});
}

// Makes the oracle that the agent's parameters name: a new one at every call.
class OracleSource {
 public:
  OracleSource() = default;
  virtual ~OracleSource() = default;
  OracleSource(const OracleSource&) = delete;
  OracleSource& operator=(const OracleSource&) = delete;

  virtual std::unique_ptr<Oracle> make() const = 0;
};

struct PolicyFrame : PartFrame {
  PolicyFrame(const PartFrame& part, const OracleSource& source)
      : PartFrame(part), oracles(source) {}

  const OracleSource& oracles;
};

// What a trace shows of a proposal, and what follows from its header.
struct ShownProposal {
  const ParameterValues& values;
  std::size_t arm_count;
  Support support;
  std::span<const double> costs;
  std::optional<double> gamma;
  RandomStream stream;  // that the policy drew from
};

struct PolicyEntry {
  std::string_view name;
  std::string_view meaning;  // a line of `handrail agents`
  // Whether the name alone names an agent: this policy without a gate.
  bool names_agent = true;

  bool predicts = true;      // Proposal::costs has one an arm
  bool uses_oracle = false;  // asks PolicyFrame::oracles
  bool weighs_gaps = false;  // Proposal::gamma is by schedule_in(), and `weighting` counts
  bool own_gamma = false;    // Proposal::gamma is there, by a schedule of its own
  // Its oracle is fitted to the past now and then: what that promises of predictions one at a time
  // does not hold.
  bool refits = false;
  bool has_matrices = false;  // keeps a matrix of d × d numbers a block
  bool one_arm = false;       // its distribution is certain of one arm
  bool ucb_regret = false;  // over arms without context its regret is at most ucb_regret_rate()·√s
  bool draws = false;       // draws for itself, so that chances may be estimated or unknown
  // Lists a few arms only and never iterates over all of them: Proposal::support is there, and its
  // distribution is shown even where it is given the policy's own draws. Only such policies take
  // arms of a product.
  bool sparse = false;

  // Rows that the SPEC of every agent spells out, whatever its policy: traces and saves hold them.
  // For rows that several parts share.
  std::span<const ParameterSpec* const> common = {};
  // Rows that the SPEC of an agent with this policy spells out besides.
  std::span<const ParameterSpec> parameters = {};

  std::unique_ptr<Policy> (*make)(const PolicyFrame& frame) = nullptr;
  // Refuses what only the frame can decide, with a sentence; null: nothing is refused.
  Status (*check)(const PolicyFrame& frame) = nullptr;
  // The distribution before floors, from what a trace shows; null: an audit has to believe it.
  Distribution (*recompute)(const ShownProposal& shown) = nullptr;
  // Chances::kGiven: the chance of an arm of the support, from what a trace shows; none, or without
  // a number: an audit has to believe it.
  std::optional<double> (*marginal)(const ShownProposal& shown, ArmIndex arm) = nullptr;
  // The ε of p ← (1−ε)p + ε/K; null: 0.
  double (*floor)(const ParameterValues& values) = nullptr;
  // Of a policy that draws: a bound on the standard error of the chances that it shows, which the
  // header of a trace repeats. None where it shows none.
  std::optional<double> (*chance_error)(const ParameterValues& values) = nullptr;
};

}  // namespace handrail
