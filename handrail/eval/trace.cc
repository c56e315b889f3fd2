#include "handrail/eval/trace.h"

#include <cmath>

#include "handrail/agent/factory.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/explore/weighting.h"
#include "handrail/safety/registry.h"

namespace handrail {
namespace {

constexpr std::uint64_t kTraceVersion = 1;

// As JSON has it: a number that is finite as a number, anything else as a text.
void write_value(JsonWriter& json, std::string_view name, const std::string& value) {
  const std::optional<double> number = to_number(value);
  if (to_count(value).has_value()) {
    json.field(name, *to_count(value));
  } else if (number.has_value() && std::isfinite(*number)) {
    json.field(name, *number);
  } else {
    json.field(name, std::string_view(value));
  }
}

void write_config(JsonWriter& json, const Agent& agent) {
  const AgentConfig& config = agent.config();
  json.begin_object();
  for (const auto& [name, value] : print_parameters(config)) write_value(json, name, value);
  json.field("regret_bound_source", agent.regret_bound_source());
  const PolicyEntry& policy = *config.policy;
  const std::optional<double> chance_error =
      policy.chance_error == nullptr ? std::nullopt : policy.chance_error(policy_values(config));
  // Behind a gate that selects there is no chance to be in error about.
  const bool shows_chances = !config.gate->traits.selects;
  if (chance_error.has_value() && shows_chances) json.field("chance_error", *chance_error);
  json.end_object();
}

void write_gate_fields(JsonWriter& json, const Agent& agent) {
  const AgentSettings& settings = agent.settings();
  const bool risky = members_of(agent.config(), frame_of(settings, agent.isa())) == Members::kRisky;
  json.field("alpha", settings.alpha);
  json.field("delta", settings.delta);
  json.field("reserve", settings.reserve);
  json.field("baseline_known", to_text(settings.baseline_known));
  json.field("members", std::string_view(risky ? "risky" : "open"));
  for (const GateEntry* gate : gates()) {
    for (const ParameterSpec* row : gate->header) {
      write_value(json, row->name, agent.config().common.printed(row->name));
    }
  }
}

// The ε of p ← (1 − ε)p + ε/K that is in force.
double floor_of(const AgentConfig& config) {
  return config.policy->floor == nullptr ? 0.0 : config.policy->floor(policy_values(config));
}

}  // namespace

std::string trace_header(const Run& run) {
  const Agent& agent = run.agent();
  const AgentConfig& config = agent.config();
  const bool weighs = config.policy->weighs_gaps;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_trace", kTraceVersion);
  json.field("agent", std::string_view(config.preset));
  json.field("policy", config.policy->name);
  json.field("weighting",
             weighs ? std::optional(config.common.printed(kWeightingRow.name)) : std::nullopt);
  json.field("gate", config.gate->name);
  write_gate_fields(json, agent);
  json.field("floor", floor_of(config));
  json.field("seed", agent.settings().seed);
  json.field("environment", std::string_view(run.environment().name()));
  json.field("arms", run.environment().arm_count());
  json.field("first_round", run.rounds() + 1);
  json.field("warm_start_rows", agent.account().logged_plays);
  json.field("isa", to_text(agent.isa()));
  json.key("config");
  write_config(json, agent);
  json.end_object();
  return text;
}

}  // namespace handrail
