// An agent's configuration, typed and complete. A SPEC names a preset, and the parameters in which
// the agent differs from it; it is parsed here, once, and printed once where it leaves.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handrail/config/parameter_values.h"
#include "handrail/config/spec.h"
#include "handrail/oracle/entry.h"
#include "handrail/policy/entry.h"
#include "handrail/safety/entry.h"

namespace handrail {

// Every value is settled, and the parts go together as far as no frame has to decide that.
struct AgentConfig {
  std::string preset;
  const PolicyEntry* policy = nullptr;
  const OracleEntry* oracle = nullptr;
  const GateEntry* gate = nullptr;

  ParameterValues common;  // that any agent has
  // The parts' own, beside the common ones.
  ParameterValues policy_own;
  ParameterValues oracle_own;
  ParameterValues gate_own;
};

// The agent that a SPEC stands for. Errors name the place of the key that is to blame.
Result<AgentConfig> parse_agent(const Spec& spec);
// The same before anything is settled: what is auto says so. For lists of what agents are.
Result<AgentConfig> read_agent(const Spec& spec);
Result<AgentConfig> parse_agent(std::string_view spec);
// The same from keys alone, over the rows' fallbacks: no preset is named.
Result<AgentConfig> agent_of_keys(std::span<const Setting> keys);

// The values that a part sees: its own, and the common ones.
ParameterValues policy_values(const AgentConfig& config);
ParameterValues oracle_values(const AgentConfig& config);
ParameterValues gate_values(const AgentConfig& config);

// Whether the policy learns from rounds that played the baseline.
bool learns_from_baseline(const AgentConfig& config);
// How many decisions may wait for their cost.
std::size_t pending_limit_of(const AgentConfig& config);

// Every parameter and its value as text: the common ones, then those of policy, oracle and gate.
using PrintedParameters = std::vector<std::pair<std::string_view, std::string>>;
PrintedParameters print_parameters(const AgentConfig& config);
// The SPEC with every parameter spelled out.
std::string print_spec(const AgentConfig& config);

}  // namespace handrail
