#include "handrail/agent/config.h"

#include <algorithm>

#include "handrail/agent/common_rows.h"
#include "handrail/agent/presets.h"
#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/explore/gamma.h"
#include "handrail/oracle/learning_parameters.h"
#include "handrail/oracle/registry.h"
#include "handrail/policy/registry.h"
#include "handrail/safety/registry.h"

namespace handrail {
namespace {

bool has_row(std::span<const ParameterSpec> rows, std::string_view key) {
  return std::ranges::find(rows, key, &ParameterSpec::name) != rows.end();
}

template <typename Entry>
bool any_has_row(std::span<const Entry* const> entries, std::string_view key) {
  return std::ranges::any_of(entries,
                             [&](const Entry* entry) { return has_row(entry->parameters, key); });
}

bool any_part_has_row(std::string_view key) {
  return any_has_row(oracles(), key) || any_has_row(policies(), key) || any_has_row(gates(), key);
}

// "policy=lints, policy=neural-ts": the parts that have a row of this name for themselves.
std::string owners_of(std::string_view key) {
  std::string owners;
  const auto add = [&](std::string_view kind, const auto& entries) {
    for (const auto* entry : entries) {
      if (!has_row(entry->parameters, key)) continue;
      owners.append(owners.empty() ? "" : ", ").append(kind).append("=").append(entry->name);
    }
  };
  add(kPolicyKey, policies());
  add(kOracleKey, oracles());
  add(kGateKey, gates());
  return owners;
}

// Every key that any agent may have.
std::vector<std::string_view> all_names(const ParameterValues& common) {
  std::vector<std::string_view> names = common.names();
  const auto add = [&](const auto& entries) {
    for (const auto* entry : entries) {
      for (const ParameterSpec& row : entry->parameters) names.push_back(row.name);
    }
  };
  add(oracles());
  add(policies());
  add(gates());
  return names;
}

// Which parts an agent has may be said behind the parameters of a part, so those that are not
// common wait until it is known.
Status read_common(std::span<const Setting> keys, AgentConfig& config, std::vector<Setting>& own) {
  for (const Setting& key : keys) {
    if (config.common.has(key.key)) {
      const Status set = config.common.set(key.key, key.value);
      if (!set.ok()) return error_at(key, set.error().message);
    } else if (any_part_has_row(key.key)) {
      own.push_back(key);
    } else {
      return unknown_key(key, all_names(config.common));
    }
  }
  config.policy = policies()[config.common.word(kPolicyKey)];
  config.oracle = oracles()[config.common.word(kOracleKey)];
  config.gate = gates()[config.common.word(kGateKey)];
  return {};
}

Status read_own(std::span<const Setting> keys, AgentConfig& config) {
  config.policy_own.add(config.policy->parameters);
  config.oracle_own.add(config.oracle->parameters);
  config.gate_own.add(config.gate->parameters);
  for (const Setting& key : keys) {
    ParameterValues* owner = nullptr;
    for (ParameterValues* own : {&config.policy_own, &config.oracle_own, &config.gate_own}) {
      if (own->has(key.key)) owner = own;
    }
    if (owner == nullptr) {
      return error_at(key, quoted(key.key) + " is a parameter of " + owners_of(key.key) +
                               "; this agent has policy=" + std::string(config.policy->name) +
                               ", oracle=" + std::string(config.oracle->name) + " and " +
                               shown(*config.gate));
    }
    const Status set = owner->set(key.key, key.value);
    if (!set.ok()) return error_at(key, set.error().message);
  }
  return {};
}

// Checks that need to know more than one part.
Status check_gate_suits(const AgentConfig& config) {
  const PolicyEntry& policy = *config.policy;
  const GateEntry& gate = *config.gate;
  if (gate.traits.reads_costs && !policy.predicts) {
    return Error{shown(gate) + " reads predicted costs, and policy=" + std::string(policy.name) +
                 " predicts none"};
  }
  if (gate.suits == nullptr) return {};
  const bool promises = policy.uses_oracle && !policy.refits && config.oracle->promises_regret;
  return gate.suits({.name = policy.name,
                     .predicts = policy.predicts,
                     .promises_regret = promises,
                     .ucb_regret = policy.ucb_regret},
                    gate_values(config));
}

Status settle(AgentConfig& config) {
  const Status learning = settle_learning(*config.oracle, config.common);
  if (!learning.ok()) return learning;
  settle_gamma(config.policy->uses_oracle ? config.oracle->gamma_scale : kPlainGammaScale,
               config.common);
  return check_gate_suits(config);
}

// Values that are auto stay so.
Result<AgentConfig> unsettled_config(std::string preset, std::span<const Setting> keys) {
  AgentConfig config;
  config.preset = std::move(preset);
  for (const ParameterSpec* row : common_rows()) config.common.add(*row);
  std::vector<Setting> own;
  const Status common = read_common(keys, config, own);
  if (!common.ok()) return common.error();
  const Status read = read_own(own, config);
  if (!read.ok()) return read.error();
  return config;
}

// `place` is to blame for what no single key is.
Result<AgentConfig> settled_config(Result<AgentConfig> config, const std::string& place) {
  if (!config.ok()) return config;
  const Status settled = settle(config.value());
  if (settled.ok()) return config;
  return error_at({.key = "", .value = "", .place = place}, settled.error().message);
}

ParameterValues with_common(ParameterValues own, const AgentConfig& config) {
  own.add(config.common);
  return own;
}

}  // namespace

Result<AgentConfig> read_agent(const Spec& spec) {
  Result<std::vector<Setting>> keys = keys_of_preset(spec);
  if (!keys.ok()) return keys.error();
  keys.value().insert(keys.value().end(), spec.keys.begin(), spec.keys.end());
  return unsettled_config(spec.name, keys.value());
}

Result<AgentConfig> parse_agent(const Spec& spec) {
  return settled_config(read_agent(spec), spec.place);
}

Result<AgentConfig> parse_agent(std::string_view spec) {
  const Result<Spec> parsed = parse_spec({.key = "agent", .value = std::string(spec)});
  if (!parsed.ok()) return parsed.error();
  return parse_agent(parsed.value());
}

Result<AgentConfig> agent_of_keys(std::span<const Setting> keys) {
  return settled_config(unsettled_config("", keys), "");
}

ParameterValues policy_values(const AgentConfig& config) {
  return with_common(config.policy_own, config);
}
ParameterValues oracle_values(const AgentConfig& config) {
  return with_common(config.oracle_own, config);
}
ParameterValues gate_values(const AgentConfig& config) {
  return with_common(config.gate_own, config);
}

bool learns_from_baseline(const AgentConfig& config) {
  return config.common.word(kLearnFromBaselineRow.name) == 1;
}
std::size_t pending_limit_of(const AgentConfig& config) {
  return config.common.count(kPendingLimitRow);
}

PrintedParameters print_parameters(const AgentConfig& config) {
  PrintedParameters printed;
  const ParameterValues& common = config.common;
  for (std::size_t i = 0; i < common.size(); ++i) {
    printed.emplace_back(common.row(i).name, print_value(common.row(i), common.value(i)));
  }
  // A part's own are spelled as they were given, as saves and traces always had them.
  for (const ParameterValues* own : {&config.policy_own, &config.oracle_own, &config.gate_own}) {
    for (std::size_t i = 0; i < own->size(); ++i) {
      printed.emplace_back(own->row(i).name, own->value(i).text);
    }
  }
  return printed;
}

std::string print_spec(const AgentConfig& config) {
  std::string spec = config.preset;
  char separator = ':';
  for (const auto& [name, value] : print_parameters(config)) {
    spec.append(1, separator).append(name).append("=").append(value);
    separator = ',';
  }
  return spec;
}

}  // namespace handrail
