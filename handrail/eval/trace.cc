#include "handrail/eval/trace.h"

#include <cmath>

#include "handrail/agent/factory.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"

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

// Of all arms the numbers alone; of a few arms pairs [arm, number].
void write_by_arm(JsonWriter& json, std::string_view name, std::span<const double> numbers,
                  Support support) {
  json.key(name);
  if (support.empty()) {
    json.value(numbers);
    return;
  }
  json.begin_array();
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    json.begin_array();
    json.value(support[place]);
    json.value(numbers[place]);
    json.end_array();
  }
  json.end_array();
}

void write_prediction(JsonWriter& json, const RoundRecord& record) {
  const Workspace& workspace = record.workspace;
  write_by_arm(json, "predicted_costs", workspace.predicted_costs(), workspace.support());
  json.field("gamma", workspace.gamma());
  if (workspace.shows_chances()) {
    write_by_arm(json, "distribution", workspace.distribution().probabilities(),
                 workspace.support());
  } else {
    json.field("distribution", std::optional<double>());
  }
  json.field("candidate", record.decision.candidate);
}

void write_verdict(JsonWriter& json, const RoundRecord& record) {
  const Decision& decision = record.decision;
  // The shut gate's exposure is infinite, which JSON cannot say; the format has 0 for it.
  json.field("exposure", std::isinf(decision.exposure) ? 0.0 : decision.exposure);
  json.field("margin", decision.margin);
  json.field("allowance", decision.allowance);
  json.field("choice",
             std::string_view(decision.choice == Choice::kExplore ? "explore" : "baseline"));
  json.field("arm", decision.arm);
  json.field("propensity", decision.propensity);
  if (!record.workspace.support().empty()) {
    const bool known = decision.propensity.has_value();
    json.field("propensity_error", known ? std::optional(decision.propensity_error) : std::nullopt);
  }
  json.field("centre", decision.centre);
  json.field("regret_bound", record.workspace.regret_bound());
  json.field("slack", record.slack);
}

void write_outcome(JsonWriter& json, const RoundRecord& record) {
  json.key("baseline");
  json.begin_object();
  json.field("arm", record.decision.baseline.arm);
  json.field("cost", record.decision.baseline.cost);
  json.end_object();
  json.field("cost", record.outcome.cost);
  json.field("arrives", record.outcome.arrives);
  json.field("expected_cost", record.expected_cost);
  json.field("best_cost", record.best_cost);
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

std::string trace_line(const RoundRecord& record, const TraceOptions& options) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("t", record.round.t);
  write_prediction(json, record);
  write_verdict(json, record);
  write_outcome(json, record);
  if (options.features) json.field("features", record.decision.features.features);
  json.end_object();
  return text;
}

}  // namespace handrail
