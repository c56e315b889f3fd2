#include "handrail/eval/comparison_plan.h"

#include <algorithm>
#include <array>
#include <set>

#include "handrail/agent/settings_check.h"
#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/data/byte_source.h"
#include "handrail/eval/environment_flag.h"

namespace handrail {
namespace {

// Seeds of runs and of tuning runs stay apart, and no product of these overflows.
constexpr NumberRange kRunCounts = {.low = 1.0, .high = static_cast<double>(kTuningOffset)};
constexpr double kMostRounds = 1e10;

constexpr ParameterSpec kRunsRow = count_row("runs", "runs of each agent", "10", kRunCounts);
constexpr ParameterSpec kTuningRunsRow =
    count_row("tuning-runs", "runs that choose among an agent's candidates, as in lr=0.1|0.01", "3",
              kRunCounts);
constexpr ParameterSpec kComparedRoundsRow =
    count_row("rounds", "rounds of each run", "10000", {.low = 1.0, .high = kMostRounds});
constexpr ParameterSpec kTitleRow = {.name = "title",
                                     .meaning = "heading of the report",
                                     .fallback = "",
                                     .check = [](std::string_view /*title*/) { return Status(); },
                                     .form = "a text"};
constexpr std::array kRows = {&kRunsRow,  &kTuningRunsRow, &kComparedRoundsRow, &kSeedRow,
                              &kDeltaRow, &kReserveRow,    &kTitleRow,          &kWarmStartRow};

// Results are written as UTF-8, so names must be.
Status check_text(const Setting& setting) {
  if (is_utf8(setting.value)) return {};
  return error_at(setting, setting.key + " is not text in UTF-8");
}

Status add_environment(const Setting& setting, EnvironmentKind kind, std::span<const Setting> flags,
                       ComparisonPlan& plan) {
  const Result<Spec> spec = parse_spec(setting, name_form(kind));
  if (!spec.ok()) return spec.error();
  const Result<EnvironmentConfig> environment =
      read_environment(kind, spec.value(), flags, Precedence::kSpec);
  if (!environment.ok()) return environment.error();
  for (const ComparedEnvironment& other : plan.environments) {
    if (other.text == setting.value) {
      return error_at(setting, quoted(setting.value) + " is given twice");
    }
    if (other.plan.data.name == "-" && environment.value().data.name == "-") {
      return error_at(setting, "stdin can be one data set only");
    }
  }
  plan.environments.push_back({.text = setting.value, .plan = environment.value()});
  return {};
}

Status add_candidate(const Setting& setting, const Spec& spec, ComparedAgent& agent,
                     std::set<std::string>& printed) {
  const Result<AgentConfig> config = parse_agent(spec);
  if (!config.ok()) return config.error();
  const bool other_gate =
      !agent.candidates.empty() && agent.candidates.front().config.gate != config.value().gate;
  if (other_gate) {
    return error_at(setting, "a gate is not chosen by its regret; name one agent for each gate");
  }
  if (!printed.insert(print_spec(config.value())).second) {
    return error_at(setting, quoted(setting.value) + " names the same candidate twice");
  }
  agent.candidates.push_back({.text = to_text(spec), .config = config.value()});
  return {};
}

Status add_agent(const Setting& setting, ComparisonPlan& plan) {
  for (const ComparedAgent& other : plan.agents) {
    if (other.text == setting.value) {
      return error_at(setting, quoted(setting.value) + " is given twice");
    }
  }
  const Result<Spec> spec = parse_spec(setting);
  if (!spec.ok()) return spec.error();
  const std::vector<Spec> candidates = expand_grid(spec.value());
  if (candidates.size() > kMostCandidates) {
    return error_at(setting, quoted(setting.value) + " stands for more than " +
                                 std::to_string(kMostCandidates) +
                                 " agents, the most that was expected");
  }
  ComparedAgent agent{.text = setting.value, .candidates = {}};
  std::set<std::string> printed;
  for (const Spec& candidate : candidates) {
    const Status added = add_candidate(setting, candidate, agent, printed);
    if (!added.ok()) return added;
  }
  plan.agents.push_back(std::move(agent));
  return {};
}

Status add_alpha(const Setting& setting, ComparisonPlan& plan) {
  const Result<ParameterValue> parsed = parse_value(kAlphaRow, setting.value);
  if (!parsed.ok()) return error_at(setting, parsed.error().message);
  const double alpha = *parsed.value().number;
  if (std::ranges::count(plan.alphas, alpha) > 0) {
    return error_at(setting, "alpha " + setting.value + " is given twice");
  }
  plan.alphas.push_back(alpha);
  return {};
}

// The bytes are read once for their checksum, so that a comparison that goes on knows if they are
// others by then. A pipe could not be read again for every run.
Status set_warm_start(const Setting& setting, ParameterValues& values, ComparisonPlan& plan) {
  const Status read = read_setting(setting, values);
  if (!read.ok()) return read;
  plan.warm_start = setting.value;
  if (!can_be_reopened(plan.warm_start)) {
    return expected(setting, "a file that can be read for every run");
  }
  const Result<std::string> bytes = read_file(plan.warm_start);
  if (!bytes.ok()) return error_at(setting, bytes.error().message);
  plan.warm_start_checksum = checksum(bytes.value());
  return {};
}

Status set(const Setting& setting, std::span<const Setting> flags, ParameterValues& values,
           ComparisonPlan& plan) {
  const Status single = expect_single(setting);
  if (!single.ok()) return single;
  const Status text = check_text(setting);
  if (!text.ok()) return text;
  for (const EnvironmentKind kind : {EnvironmentKind::kWorld, EnvironmentKind::kData}) {
    if (setting.key == to_text(kind)) return add_environment(setting, kind, flags, plan);
  }
  if (setting.key == "agent") return add_agent(setting, plan);
  if (setting.key == kAlphaRow.name) return add_alpha(setting, plan);
  if (setting.key == kWarmStartRow.name) return set_warm_start(setting, values, plan);
  if (values.has(setting.key)) return read_setting(setting, values);
  std::vector<std::string_view> known = values.names();
  known.insert(known.end(), {"agent", "world", "data", kAlphaRow.name});
  return unknown_key(setting, with_environment_flags(known));
}

}  // namespace

std::vector<Spec> expand_grid(const Spec& spec) {
  std::vector<Spec> specs = {{.name = spec.name, .place = spec.place, .keys = {}}};
  for (const Setting& key : spec.keys) {
    std::vector<Spec> longer;
    for (const Spec& begun : specs) {
      for (const std::string_view value : split(key.value, '|')) {
        longer.push_back(begun);
        longer.back().keys.push_back(
            {.key = key.key, .value = std::string(value), .place = key.place});
      }
    }
    specs = std::move(longer);
    if (specs.size() > kMostCandidates) return specs;
  }
  return specs;
}

std::vector<Cell> cells_of(const ComparisonPlan& plan) {
  std::vector<Cell> cells;
  for (std::size_t environment = 0; environment < plan.environments.size(); ++environment) {
    for (std::size_t alpha = 0; alpha < plan.alphas.size(); ++alpha) {
      for (std::size_t agent = 0; agent < plan.agents.size(); ++agent) {
        cells.push_back({.environment = environment, .agent = agent, .alpha = alpha});
      }
    }
  }
  return cells;
}

std::vector<SettingHelp> comparison_help() {
  std::vector<SettingHelp> all = help_of_specs();
  all.push_back(help_of(kAlphaRow));
  for (SettingHelp& each : all) {
    each.repeatable = true;
    each.meaning += "; repeatable";
  }
  for (const ParameterSpec* row : kRows) all.push_back(help_of(*row));
  for (SettingHelp& flag : help_of_flags()) all.push_back(std::move(flag));
  return all;
}

Result<ComparisonPlan> plan_comparison(std::span<const Setting> settings) {
  ComparisonPlan plan;
  ParameterValues values(kRows);
  std::vector<Setting> flags;
  std::vector<Setting> others;
  for (const Setting& setting : settings) {
    (find_environment_flag(setting.key) != nullptr ? flags : others).push_back(setting);
  }
  for (const Setting& setting : others) {
    const Status done = set(setting, flags, values, plan);
    if (!done.ok()) return done.error();
  }
  if (plan.alphas.empty())
    plan.alphas = {*parse_value(kAlphaRow, kAlphaRow.fallback).value().number};
  if (plan.environments.empty()) {
    return Error{"nothing to compare on; name a data set with --data or a world with --world"};
  }
  if (plan.agents.empty()) return Error{"nothing to compare; name an agent with --agent"};
  plan.title = values.text(kTitleRow.name);
  plan.runs = values.count(kRunsRow);
  plan.tuning_runs = values.count(kTuningRunsRow);
  plan.rounds = values.count(kComparedRoundsRow);
  plan.seed = values.count(kSeedRow);
  plan.delta = values.number(kDeltaRow);
  plan.reserve = values.number(kReserveRow);
  return plan;
}

}  // namespace handrail
