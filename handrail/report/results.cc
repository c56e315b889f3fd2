#include "handrail/report/results.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/agent/config.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/base/version.h"

namespace handrail {
namespace {

constexpr std::uint64_t kResultsVersion = 1;
constexpr std::uint64_t kTimingVersion = 1;

const AgentConfig& config_of(const ComparedAgent& agent) {
  return agent.candidates.front().config;
}

// The values that matter when the gate is open.
std::vector<std::string> ungated(const AgentConfig& config) {
  std::vector<std::string> rest;
  for (const ParameterValues* values : {&config.common, &config.policy_own, &config.oracle_own}) {
    for (std::size_t i = 0; i < values->size(); ++i) {
      const std::string_view group = values->row(i).group;
      if (group == "gate" || group == "agent") continue;
      rest.push_back(print_value(values->row(i), values->value(i)));
    }
  }
  return rest;
}

// The agent of the list that is this one without its gate.
const ComparedAgent* control_of(const ComparisonPlan& plan, const AgentConfig& gated) {
  if (gated.gate->traits.is_control) return nullptr;
  for (const ComparedAgent& other : plan.agents) {
    const AgentConfig& config = config_of(other);
    const bool is_open = config.gate->traits.is_control && !config.gate->traits.never_admits;
    if (is_open && ungated(config) == ungated(gated)) return &other;
  }
  return nullptr;
}

void mean_field(JsonWriter& json, std::string_view name, const MeanWithError& value) {
  json.key(name);
  json.begin_object();
  json.field("mean", value.mean);
  json.field("stderr", value.standard_error);
  json.end_object();
}

void write_environments(JsonWriter& json, const ResultsInput& input) {
  json.key("environments");
  json.begin_array();
  for (std::size_t i = 0; i < input.facts.size(); ++i) {
    const EnvironmentFacts& facts = input.facts[i];
    const ComparedEnvironment& environment = input.plan.environments[i];
    json.begin_object();
    json.field("data", std::string_view(environment.text));
    json.field("kind", to_text(environment.plan.kind));
    json.field("spec", std::string_view(facts.spec));
    json.field("checksum", facts.fingerprint);
    json.field("arms", facts.arms);
    json.field("features", facts.features);
    json.field("rows", facts.rows);
    json.field("passes", facts.passes);
    json.field("baseline", std::string_view(facts.baseline));
    json.field("baseline_arm", facts.baseline_arm);
    json.field("baseline_share", facts.baseline_share);
    json.field("baseline_known", to_text(facts.baseline_known));
    json.field("baseline_cost", facts.baseline_cost);
    json.field("noise", std::string_view(facts.noise));
    json.key("notes");
    json.begin_array();
    for (const std::string& note : facts.notes) json.value(std::string_view(note));
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_agents(JsonWriter& json, const ResultsInput& input) {
  json.key("agents");
  json.begin_array();
  for (const ComparedAgent& agent : input.plan.agents) {
    const AgentConfig& config = config_of(agent);
    const ComparedAgent* const control = control_of(input.plan, config);
    json.begin_object();
    json.field("agent", std::string_view(agent.text));
    json.field("spec", std::string_view(print_spec(config)));
    json.field("gate", config.gate->name);
    json.key("conservative");
    json.boolean(!config.gate->traits.is_control);
    json.field("control",
               control == nullptr ? std::nullopt : std::optional<std::string>(control->text));
    json.end_object();
  }
  json.end_array();
}

void write_hindsight(JsonWriter& json, const CellSummary& cell, double runs) {
  json.key("hindsight");
  json.begin_object();
  json.field("cost_ratio", cell.hindsight_cost_ratio);
  json.field("violated_rounds_share", cell.hindsight_violated_rounds_share);
  json.field("violating_runs_share", static_cast<double>(cell.hindsight_violating_runs) / runs);
  json.end_object();
}

void write_cell_names(JsonWriter& json, const ComparisonPlan& plan, const Cell& cell) {
  json.field("data", std::string_view(plan.environments[cell.environment].text));
  json.field("agent", std::string_view(plan.agents[cell.agent].text));
  json.field("alpha", plan.alphas[cell.alpha]);
}

void write_results(JsonWriter& json, const ResultsInput& input) {
  json.key("results");
  json.begin_array();
  const auto runs = static_cast<double>(input.plan.runs);
  for (const CellSummary& cell : input.summary.cells) {
    const ComparedAgent& agent = input.plan.agents[cell.cell.agent];
    json.begin_object();
    write_cell_names(json, input.plan, cell.cell);
    json.field("chosen", agent.candidates.size() == 1
                             ? std::nullopt
                             : std::optional<std::string>(agent.candidates[cell.candidate].text));
    json.field("runs", input.plan.runs);
    json.field("rounds", input.plan.rounds);
    mean_field(json, "regret", cell.regret);
    json.field("cost_ratio", cell.cost_ratio);
    json.field("explored_share", cell.explored_share);
    json.field("baseline_rounds", cell.baseline_rounds);
    json.field("violated_rounds_share", cell.violated_rounds_share);
    json.field("violating_runs_share", static_cast<double>(cell.violating_runs) / runs);
    json.field("violating_runs", cell.violating_runs);
    json.field("first_violation", cell.first_violation);
    json.field("largest_excess", cell.largest_excess);
    json.field("min_slack", cell.min_slack);
    write_hindsight(json, cell, runs);
    json.end_object();
  }
  json.end_array();
}

void write_differences(JsonWriter& json, const ResultsInput& input) {
  json.key("differences");
  json.begin_array();
  for (const Difference& difference : input.summary.differences) {
    json.begin_object();
    write_cell_names(json, input.plan, difference.cell);
    json.field("against", std::string_view(input.plan.agents[difference.against].text));
    json.key("regret");
    json.begin_object();
    json.field("mean", difference.regret.mean);
    const auto& interval = difference.interval;
    json.field("low", interval ? std::optional<double>(interval->low) : std::nullopt);
    json.field("high", interval ? std::optional<double>(interval->high) : std::nullopt);
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

void write_tunings(JsonWriter& json, const ResultsInput& input) {
  json.key("tuning");
  json.begin_array();
  for (const TuningSummary& tuning : input.summary.tunings) {
    json.begin_object();
    write_cell_names(json, input.plan, tuning.cell);
    json.field("runs", input.plan.tuning_runs);
    json.key("candidates");
    json.begin_array();
    const ComparedAgent& agent = input.plan.agents[tuning.cell.agent];
    for (const CandidateSummary& candidate : tuning.candidates) {
      json.begin_object();
      json.field("agent", std::string_view(agent.candidates[candidate.candidate].text));
      mean_field(json, "regret", candidate.regret);
      json.key("chosen");
      json.boolean(candidate.candidate == tuning.chosen);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Nothing for what is not a number: the standard error of one run.
std::string csv_number(double value) {
  return std::isfinite(value) ? to_text(value) : "";
}

}  // namespace

std::string results_json(const ResultsInput& input) {
  const ComparisonPlan& plan = input.plan;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_results", kResultsVersion);
  json.field("version", version());
  json.field("command", std::string_view(input.command));
  json.field("title", plan.title.empty() ? std::nullopt : std::optional<std::string>(plan.title));
  json.field("runs", plan.runs);
  json.field("rounds", plan.rounds);
  json.field("seed", plan.seed);
  json.field("delta", plan.delta);
  json.field("reserve", plan.reserve);
  json.field("alphas", std::span<const double>(plan.alphas));
  write_environments(json, input);
  write_agents(json, input);
  write_results(json, input);
  write_differences(json, input);
  write_tunings(json, input);
  json.end_object();
  return text + "\n";
}

Result<std::string> curves_csv(const ResultsInput& input, const Journal& journal) {
  const std::vector<std::uint64_t> points = checkpoints(input.plan.rounds);
  std::string text = "data,agent,alpha,t,quantity,mean,stderr,q05,q25,q50,q75,q95\n";
  for (const CellSummary& cell : input.summary.cells) {
    const std::string names = csv_field(input.plan.environments[cell.cell.environment].text) + "," +
                              csv_field(input.plan.agents[cell.cell.agent].text) + "," +
                              to_text(input.plan.alphas[cell.cell.alpha]) + ",";
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Result<CurveSummaries> summed = summarise_curve(input.plan, journal, cell, i);
      if (!summed.ok()) return summed.error();
      for (std::size_t quantity = 0; quantity < kCurveQuantities; ++quantity) {
        const std::optional<CurveSummary>& curve = summed.value()[quantity];
        if (!curve.has_value()) continue;
        text += names + std::to_string(points[i]) + "," + std::string(kCurveNames[quantity]);
        for (const double number : {curve->value.mean, curve->value.standard_error, curve->q05,
                                    curve->q25, curve->q50, curve->q75, curve->q95}) {
          text += "," + csv_number(number);
        }
        text += "\n";
      }
    }
  }
  return text;
}

std::string timing_json(const ResultsInput& input, const Timing& timing) {
  const auto rounds = static_cast<double>(input.plan.rounds * input.plan.runs);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_timing", kTimingVersion);
  json.field("threads", timing.threads);
  json.field("seconds", timing.seconds);
  json.key("cells");
  json.begin_array();
  for (const CellSummary& cell : input.summary.cells) {
    json.begin_object();
    write_cell_names(json, input.plan, cell.cell);
    json.field("seconds", cell.seconds);
    json.field("rounds_per_second", rounds / cell.seconds);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return text + "\n";
}

}  // namespace handrail
