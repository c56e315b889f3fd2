#include "handrail/agent/config.h"

#include <algorithm>
#include <set>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

Error unknown_key(std::string_view key) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters()) names.push_back(parameter.spec.name);
  for (const PolicyEntry* policy : policies()) {
    for (const ParameterSpec& spec : policy->parameters) names.push_back(spec.name);
  }
  return Error{"no parameter is called \"" + std::string(key) + "\"; the nearest is \"" +
               std::string(nearest(key, names)) + "\""};
}

double default_learning_rate(const AgentConfig& config) {
  if (config.oracle == OracleKind::kLinear) {
    return config.loss == LossChoice::kLog ? 1.5 : 0.5;  // docs/linear.md has the measurements
  }
  switch (config.mlp.optimizer) {
    case Optimizer::kAdaGrad:  // docs/defaults.md has the measurements
      return config.loss == LossChoice::kLog ? 0.15 : 0.1;
    case Optimizer::kAdam:
      return 0.001;
    case Optimizer::kSgd:
      return 0.01;
  }
  HANDRAIL_ASSERT(false);
}

LossChoice default_loss(const AgentConfig& config) {
  if (config.oracle == OracleKind::kRidge) return LossChoice::kSquare;
  // Also for square gaps: 2(p − q)² is at most the divergence of log loss, so whoever has little
  // regret in log loss has little in square loss; and it learns faster (docs/defaults.md).
  return LossChoice::kLog;
}

double default_gamma_scale(const AgentConfig& config) {
  if (config.gamma.kind != GammaKind::kRounds || !config.policy->uses_oracle) return 10.0;
  switch (config.oracle) {
    case OracleKind::kRidge:
      return 10.0;
    case OracleKind::kLinear:
      return 200.0;  // docs/linear.md has the measurements
    case OracleKind::kMlp:
      return 100.0;  // docs/defaults.md has them
  }
  HANDRAIL_ASSERT(false);
}

bool is_own_parameter(const PolicyEntry& policy, std::string_view key) {
  return std::ranges::count(policy.parameters, key, &ParameterSpec::name) > 0;
}

bool is_own_parameter_of_any(std::string_view key) {
  return std::ranges::any_of(
      policies(), [&](const PolicyEntry* policy) { return is_own_parameter(*policy, key); });
}

Status check_own(const AgentConfig& config) {
  for (const auto& [key, text] : config.own) {
    if (!is_own_parameter(*config.policy, key)) {
      return Error{"policy=" + std::string(config.policy->name) + " has no parameter " + key};
    }
  }
  for (const ParameterSpec& spec : config.policy->parameters) {
    const auto given = config.own.find(spec.name);
    if (given == config.own.end()) continue;
    const Status good = check_value(spec, given->second);
    if (!good.ok()) return good;
  }
  return {};
}

Status check_gate_fits(const AgentConfig& config) {
  const GateTraits traits = traits_of(config.gate);
  if (traits.reads_costs && !config.policy->predicts) {
    return Error{"gate=" + std::string(to_text(config.gate)) +
                 " reads predicted costs, and policy=" + std::string(config.policy->name) +
                 " predicts none"};
  }
  const bool takes_ucb_rate = config.gate == GateKind::kBudget && !config.budget_regret.has_value();
  if (takes_ucb_rate && !config.policy->ucb_regret) {
    return Error{
        "gate=budget needs a bound on the learner's regret: policy=ucb has one, or give "
        "budget_regret=NUMBER if you can vouch for it"};
  }
  if (config.gate != GateKind::kModel) return {};
  const PolicyEntry& policy = *config.policy;
  const bool promises = policy.uses_oracle && !policy.refits && config.oracle == OracleKind::kRidge;
  if (promises || config.regret_bound.has_value()) return {};
  return Error{
      "gate=model needs a regret bound: oracle=ridge promises one, or give regret_bound=NUMBER if "
      "you can vouch for it"};
}

}  // namespace

Status set_parameter(AgentConfig& config, std::string_view key, std::string_view value) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.spec.name != key) continue;
    if (parameter.parse(config, value, parameter)) return {};
    return Error{"parameter " + std::string(key) + " is \"" + std::string(value) + "\"; " +
                 expected(parameter.spec) + " was expected"};
  }
  if (!is_own_parameter_of_any(key)) return unknown_key(key);
  config.own.insert_or_assign(std::string(key), std::string(value));
  return {};
}

Result<AgentConfig> parse_agent(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  Result<AgentConfig> config = find_preset(spec.substr(0, colon));
  if (!config.ok() || colon == std::string_view::npos) return config;
  std::set<std::string_view> given;
  for (const std::string_view setting : split(spec.substr(colon + 1), ',')) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos) {
      return Error{std::string("\"").append(setting).append("\" in \"").append(spec) +
                   "\" is not of the form key=value"};
    }
    const std::string_view key = setting.substr(0, equals);
    if (!given.insert(key).second) {
      return Error{"parameter " + std::string(key) + " is given twice in \"" + std::string(spec) +
                   "\""};
    }
    const Status set = set_parameter(config.value(), key, setting.substr(equals + 1));
    if (!set.ok()) return set.error();
  }
  return config;
}

Status resolve(AgentConfig& config) {
  const Status own = check_own(config);
  if (!own.ok()) return own;
  if (config.oracle == OracleKind::kRidge && config.loss == LossChoice::kLog) {
    return Error{"oracle=ridge minimises the squared loss; loss=log needs oracle=linear or mlp"};
  }
  if (config.loss == LossChoice::kAuto) config.loss = default_loss(config);
  if (!config.learning_rate.has_value()) config.learning_rate = default_learning_rate(config);
  if (!config.gamma_scale.has_value()) config.gamma_scale = default_gamma_scale(config);
  return check_gate_fits(config);
}

ParameterValues own_values(const AgentConfig& config) {
  return {config.policy->parameters, config.own};
}

GammaConfig schedule_of(const AgentConfig& config, double delta) {
  HANDRAIL_ASSERT(config.gamma_scale.has_value());
  GammaConfig schedule = config.gamma;
  schedule.scale = *config.gamma_scale;
  schedule.delta = delta;
  return schedule;
}

Result<AgentConfig> resolve_agent(std::string_view spec) {
  Result<AgentConfig> config = parse_agent(spec);
  if (!config.ok()) return config;
  const Status resolved = resolve(config.value());
  if (!resolved.ok()) return resolved.error();
  return config;
}

std::vector<std::pair<std::string_view, std::string>> print_parameters(const AgentConfig& config) {
  std::vector<std::pair<std::string_view, std::string>> printed;
  for (const Parameter& parameter : parameters()) {
    printed.emplace_back(parameter.spec.name, parameter.print(config, parameter));
  }
  const ParameterValues own = own_values(config);
  for (const ParameterSpec& spec : config.policy->parameters) {
    printed.emplace_back(spec.name, own.text(spec.name));
  }
  return printed;
}

std::string print_spec(const AgentConfig& config) {
  std::string spec = config.preset;
  char separator = ':';
  for (const auto& [name, value] : print_parameters(config)) {
    spec += separator + std::string(name) + "=" + value;
    separator = ',';
  }
  return spec;
}

}  // namespace handrail
