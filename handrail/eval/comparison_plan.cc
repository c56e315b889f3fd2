#include "handrail/eval/comparison_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "handrail/agent/config.h"
#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/data/byte_source.h"
#include "handrail/eval/environment_flag.h"
#include "handrail/eval/run_plan.h"

namespace handrail {
namespace {

// Beside the flags of environments.
constexpr std::array<std::string_view, 12> kKeys = {"data",  "world",       "agent",  "alpha",
                                                    "runs",  "tuning-runs", "rounds", "seed",
                                                    "delta", "reserve",     "title",  "warm-start"};
constexpr std::size_t kMostCandidates = 1000;  // of one agent

// Results are written as UTF-8, so names must be.
Status check_text(const Setting& setting) {
  if (is_utf8(setting.value)) return {};
  return error_at(setting, setting.key + " is not text in UTF-8");
}

Status add_environment(const Setting& setting, std::span<const Setting> flags,
                       ComparisonPlan& plan) {
  const bool is_world = setting.key == to_text(EnvironmentKind::kWorld);
  const EnvironmentKind kind = is_world ? EnvironmentKind::kWorld : EnvironmentKind::kData;
  const Result<Spec> spec = parse_spec(setting, name_form(kind));
  if (!spec.ok()) return spec.error();
  const Result<EnvironmentPlan> environment =
      plan_environment(kind, spec.value(), flags, Precedence::kSpec);
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

Status add_agent(const Setting& setting, ComparisonPlan& plan) {
  for (const ComparedAgent& other : plan.agents) {
    if (other.text == setting.value) {
      return error_at(setting, quoted(setting.value) + " is given twice");
    }
  }
  std::vector<std::string> candidates = expand_grid(setting.value);
  if (candidates.size() > kMostCandidates) {
    return error_at(setting, quoted(setting.value) + " stands for more than " +
                                 std::to_string(kMostCandidates) +
                                 " agents, the most that was expected");
  }
  std::optional<GateKind> gate;
  std::set<std::string> printed;
  for (const std::string& candidate : candidates) {
    const Result<AgentConfig> config = resolve_agent(candidate);
    if (!config.ok()) return error_at(setting, config.error().message);
    if (gate.value_or(config.value().gate) != config.value().gate) {
      return error_at(setting, "a gate is not chosen by its regret; name one agent for each gate");
    }
    gate = config.value().gate;
    if (!printed.insert(print_spec(config.value())).second) {
      return error_at(setting, quoted(setting.value) + " names the same candidate twice");
    }
  }
  plan.agents.push_back({.text = setting.value, .candidates = std::move(candidates)});
  return {};
}

Status add_alpha(const Setting& setting, ComparisonPlan& plan) {
  double alpha = 0.0;
  const Status read = read_number(setting, alpha);
  if (!read.ok()) return read;
  if (!(alpha > 0.0 && std::isfinite(alpha))) {
    return error_at(setting, "alpha is " + setting.value + "; a number above 0 was expected");
  }
  if (std::ranges::count(plan.alphas, alpha) > 0) {
    return error_at(setting, "alpha " + setting.value + " is given twice");
  }
  plan.alphas.push_back(alpha);
  return {};
}

// The bytes are read once for their checksum, so that a comparison that goes on knows if they are
// others by then. A pipe could not be read again for every run.
Status set_warm_start(const Setting& setting, ComparisonPlan& plan) {
  const Status path = read_path(setting, plan.warm_start);
  if (!path.ok()) return path;
  if (!can_be_reopened(plan.warm_start)) {
    return expected(setting, "a file that can be read for every run");
  }
  const Result<std::string> bytes = read_file(plan.warm_start);
  if (!bytes.ok()) return error_at(setting, bytes.error().message);
  plan.warm_start_checksum = checksum(bytes.value());
  return {};
}

Status set_plain(const Setting& setting, ComparisonPlan& plan) {
  if (setting.key == "runs") return read_count(setting, 1, plan.runs);
  if (setting.key == "tuning-runs") return read_count(setting, 1, plan.tuning_runs);
  if (setting.key == "rounds") return read_count(setting, 1, plan.rounds);
  if (setting.key == "seed") return read_count(setting, 0, plan.seed);
  if (setting.key == "delta") return read_number(setting, plan.delta);
  if (setting.key == "reserve") return read_number(setting, plan.reserve);
  if (setting.key == "title") {
    plan.title = setting.value;
    return {};
  }
  if (setting.key == "warm-start") return set_warm_start(setting, plan);
  return unknown_key(setting, with_environment_flags(kKeys));
}

// Bad numbers are found before anything is played, with the place that gave them.
Status check_number(std::span<const Setting> settings, std::string_view key, const Status& found) {
  if (found.ok()) return {};
  for (const Setting& setting : settings) {
    if (setting.key == key) return error_at(setting, found.error().message);
  }
  return found;
}

// Seeds of runs and of tuning runs stay apart, and no product of these overflows.
Status check_size(std::span<const Setting> settings, const ComparisonPlan& plan) {
  constexpr std::uint64_t kMostRounds = 10'000'000'000;
  const auto too_large = [](std::string_view key, std::uint64_t most) {
    return Status(Error{std::string(key) + " is too large; at most " + std::to_string(most) +
                        " was expected"});
  };
  if (plan.runs > kTuningOffset) {
    return check_number(settings, "runs", too_large("runs", kTuningOffset));
  }
  if (plan.tuning_runs > kTuningOffset) {
    return check_number(settings, "tuning-runs", too_large("tuning-runs", kTuningOffset));
  }
  if (plan.rounds > kMostRounds) {
    return check_number(settings, "rounds", too_large("rounds", kMostRounds));
  }
  return {};
}

Status check_numbers(std::span<const Setting> settings, const ComparisonPlan& plan) {
  if (!(plan.delta > 0.0 && plan.delta < 1.0)) {
    const Status bad =
        Error{"delta is " + to_text(plan.delta) + "; a number in (0, 1) was expected"};
    return check_number(settings, "delta", bad);
  }
  if (!(plan.reserve >= 0.0 && std::isfinite(plan.reserve))) {
    const Status bad = Error{"reserve is " + to_text(plan.reserve) + "; 0 or more was expected"};
    return check_number(settings, "reserve", bad);
  }
  return {};
}

}  // namespace

std::vector<std::string> expand_grid(std::string_view spec) {
  std::vector<std::string> specs = {""};
  char separator = 0;
  for (const std::string_view part : split(spec, ',')) {
    // Values are what stands behind the first '='; a part without one is a name.
    const std::size_t equals = part.find('=');
    const std::string_view key =
        equals == std::string_view::npos ? part : part.substr(0, equals + 1);
    const std::vector<std::string_view> values = equals == std::string_view::npos
                                                     ? std::vector<std::string_view>{""}
                                                     : split(part.substr(equals + 1), '|');
    std::vector<std::string> longer;
    for (const std::string& begun : specs) {
      for (const std::string_view value : values) {
        std::string text = begun;
        if (separator != 0) text += separator;
        longer.push_back(text + std::string(key) + std::string(value));
      }
    }
    specs = std::move(longer);
    if (specs.size() > kMostCandidates) return specs;
    separator = ',';
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

Result<ComparisonPlan> plan_comparison(std::span<const Setting> settings) {
  ComparisonPlan plan;
  std::vector<Setting> flags;
  for (const Setting& setting : settings) {
    if (find_environment_flag(setting.key) != nullptr) flags.push_back(setting);
  }
  for (const Setting& setting : settings) {
    if (find_environment_flag(setting.key) != nullptr) continue;
    const Status single = expect_single(setting);
    if (!single.ok()) return single.error();
    Status done = check_text(setting);
    if (!done.ok()) return done.error();
    if (setting.key == "data" || setting.key == "world") {
      done = add_environment(setting, flags, plan);
    } else if (setting.key == "agent") {
      done = add_agent(setting, plan);
    } else if (setting.key == "alpha") {
      done = add_alpha(setting, plan);
    } else {
      done = set_plain(setting, plan);
    }
    if (!done.ok()) return done.error();
  }
  if (plan.alphas.empty()) plan.alphas = {0.1};
  const Status numbers = check_numbers(settings, plan);
  if (!numbers.ok()) return numbers.error();
  const Status size = check_size(settings, plan);
  if (!size.ok()) return size.error();
  if (plan.environments.empty()) {
    return Error{"nothing to compare on; name a data set with --data or a world with --world"};
  }
  if (plan.agents.empty()) return Error{"nothing to compare; name an agent with --agent"};
  return plan;
}

}  // namespace handrail
