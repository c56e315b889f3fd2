#include "handrail/eval/trace.h"

#include <cmath>

#include "handrail/agent/factory.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/env/data_spec.h"

namespace handrail {
namespace {

constexpr std::uint64_t kTraceVersion = 1;

// The settings of an agent that exists parse.
AgentConfig config_of(const AgentSettings& settings) {
  return resolve_agent(settings.agent).value();
}

std::string printed(const AgentConfig& config, std::string_view name) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.spec.name == name) return parameter.print(config, parameter);
  }
  HANDRAIL_ASSERT(false);
}

void write_config(JsonWriter& json, const AgentConfig& config,
                  std::string_view regret_bound_source) {
  json.begin_object();
  for (const auto& [name, value] : print_parameters(config)) {
    const std::optional<double> number = to_number(value);
    if (to_count(value).has_value()) {
      json.field(name, *to_count(value));
    } else if (number.has_value() && std::isfinite(*number)) {
      json.field(name, *number);
    } else {
      json.field(name, std::string_view(value));
    }
  }
  json.field("regret_bound_source", regret_bound_source);
  const PolicyEntry& policy = *config.policy;
  const std::optional<double> chance_error =
      policy.chance_error == nullptr ? std::nullopt : policy.chance_error(own_values(config));
  // Behind a gate that selects there is no chance to be in error about.
  const bool shows_chances = !traits_of(config.gate).selects;
  if (chance_error.has_value() && shows_chances) json.field("chance_error", *chance_error);
  json.end_object();
}

void write_gate_fields(JsonWriter& json, const AgentSettings& settings, const AgentConfig& config) {
  const bool risky = members_of(config, settings.baseline_known) == Members::kRisky;
  json.field("alpha", settings.alpha);
  json.field("delta", settings.delta);
  json.field("reserve", settings.reserve);
  json.field("baseline_known", to_text(settings.baseline_known));
  json.field("members", std::string_view(risky ? "risky" : "open"));
  json.field("margin_scale", config.margin_scale);
  json.field("margin_rounds", std::string_view(printed(config, "margin_rounds")));
}

// The ε of p ← (1 − ε)p + ε/K that is in force.
double floor_of(const AgentConfig& config, const AgentSettings& settings) {
  if (config.policy->floor == nullptr) return 0.0;
  return config.policy->floor(settings_of(config, frame_of(settings, Isa::kPortable)));
}

}  // namespace

std::string trace_header(const Run& run) {
  const AgentSettings& settings = run.agent().settings();
  const AgentConfig config = config_of(settings);
  const bool weighs = config.policy->weighs_gaps;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_trace", kTraceVersion);
  json.field("agent", std::string_view(config.preset));
  json.field("policy", std::string_view(printed(config, "policy")));
  json.field("weighting", weighs ? std::optional(printed(config, "weighting")) : std::nullopt);
  json.field("gate", std::string_view(printed(config, "gate")));
  write_gate_fields(json, settings, config);
  json.field("floor", floor_of(config, settings));
  json.field("seed", settings.seed);
  json.field("environment", std::string_view(run.environment().name()));
  json.field("arms", run.environment().arm_count());
  json.field("first_round", run.rounds() + 1);
  json.field("warm_start_rows", run.agent().account().logged_plays);
  json.field("isa", to_text(run.agent().isa()));
  json.key("config");
  write_config(json, config, run.agent().regret_bound_source());
  json.end_object();
  return text;
}

}  // namespace handrail
