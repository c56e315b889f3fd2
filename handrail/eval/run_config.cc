#include "handrail/eval/run_config.h"

#include <algorithm>
#include <array>

#include "handrail/agent/presets.h"
#include "handrail/agent/settings_check.h"
#include "handrail/base/text.h"
#include "handrail/config/spec_draft.h"
#include "handrail/data/play_log.h"
#include "handrail/eval/environment_flag.h"

namespace handrail {
namespace {

constexpr std::array kRows = {&kAlphaRow,  &kDeltaRow, &kReserveRow,
                              &kRoundsRow, &kSeedRow,  &kWarmStartRow};
// Where no world and no data set is named.
constexpr std::string_view kDefaultWorld = "linear";

// The settings so far.
struct Draft {
  SpecDraft agent{"agent", "preset", NameForm::kPlain};
  SpecDraft world{"world", "name", name_form(EnvironmentKind::kWorld)};
  SpecDraft data{"data", "name", name_form(EnvironmentKind::kData)};
  ParameterValues values{kRows};
  std::vector<Setting> flags = {};  // of the environment: what they mean depends on its kind
};

Status set(const Setting& setting, Draft& draft) {
  const Status single = expect_single(setting);
  if (!single.ok()) return single;
  for (SpecDraft* spec : {&draft.agent, &draft.world, &draft.data}) {
    if (spec->takes(setting)) return spec->set(setting);
  }
  if (find_environment_flag(setting.key) != nullptr) {
    draft.flags.push_back(setting);
    return {};
  }
  if (draft.values.has(setting.key)) return read_setting(setting, draft.values);
  std::vector<std::string_view> known = draft.values.names();
  known.insert(known.end(), {"agent", "world", "data"});
  return unknown_key(setting, with_environment_flags(known));
}

Result<EnvironmentConfig> read_environment(const Draft& draft) {
  const bool is_data = draft.data.given();
  if (is_data && draft.world.given()) {
    return Error{draft.data.place() + ": names a data set, and " + draft.world.place() +
                 " a world; one of them was expected"};
  }
  if (is_data && !draft.data.named()) return Error{draft.data.place() + ": data needs a name"};
  const EnvironmentKind kind = is_data ? EnvironmentKind::kData : EnvironmentKind::kWorld;
  const Spec spec = is_data ? draft.data.spec("") : draft.world.spec(kDefaultWorld);
  return read_environment(kind, spec, draft.flags, Precedence::kFlag);
}

Result<RunConfig> config_of(const Draft& draft) {
  const Result<AgentConfig> config = parse_agent(draft.agent.spec(kDefaultAgent));
  if (!config.ok()) return config.error();
  const Result<EnvironmentConfig> environment = read_environment(draft);
  if (!environment.ok()) return environment.error();
  const ParameterValues& values = draft.values;
  return RunConfig{.agent = config.value(),
                   .settings = {.alpha = values.number(kAlphaRow),
                                .delta = values.number(kDeltaRow),
                                .reserve = values.number(kReserveRow),
                                .seed = values.count(kSeedRow)},
                   .environment = environment.value(),
                   .rounds = values.count(kRoundsRow),
                   .warm_start = std::string(values.text(kWarmStartRow.name))};
}

Status set_all(std::span<const Setting> settings, Draft& draft) {
  for (const Setting& setting : settings) {
    const Status done = set(setting, draft);
    if (!done.ok()) return done;
  }
  return {};
}

}  // namespace

Result<RunConfig> read_run(std::span<const Setting> settings) {
  Draft draft;
  const Status set = set_all(settings, draft);
  if (!set.ok()) return set.error();
  return config_of(draft);
}

std::vector<SettingHelp> run_help() {
  std::vector<SettingHelp> all = help_of_specs();
  for (const ParameterSpec* row : kRows) all.push_back(help_of(*row));
  for (SettingHelp& flag : help_of_flags()) all.push_back(std::move(flag));
  return all;
}

Result<std::uint64_t> read_rounds(std::span<const Setting> settings) {
  ParameterValues values;
  values.add(kRoundsRow);
  for (const Setting& setting : settings) {
    if (!values.has(setting.key)) continue;
    const Status read = read_setting(setting, values);
    if (!read.ok()) return read.error();
  }
  return values.count(kRoundsRow);
}

namespace {

// Teaches the agent a log, as all of it or none.
Status warm_start(const std::string& path, Agent& agent) {
  const Result<PlayLog> log = read_play_log(path, agent.settings().layout);
  if (!log.ok()) return Error{"warm-start: " + log.error().message};
  const std::vector<LoggedPlay> plays = log.value().plays();
  const Result<AcceptedLog> accepted = agent.accept(plays);
  if (!accepted.ok()) return Error{"warm-start: " + path + ": " + accepted.error().message};
  agent.apply(accepted.value());
  return {};
}

}  // namespace

Result<Run> start_run(const RunConfig& config, EnvironmentShelf& shelf) {
  Result<std::unique_ptr<Environment>> environment =
      shelf.make(config.environment, config.settings.seed);
  if (!environment.ok()) return environment.error();
  AgentSettings settings = config.settings;
  settings.layout = environment.value()->layout();
  settings.baseline_known = environment.value()->baseline_known();
  Result<Agent> agent = Agent::make(settings, config.agent);
  if (!agent.ok()) return agent.error();
  if (!config.warm_start.empty()) {
    const Status taught = warm_start(config.warm_start, agent.value());
    if (!taught.ok()) return taught.error();
  }
  return Run(std::move(environment).value(), std::move(agent).value());
}

namespace {

// One of the things that tell two runs apart, as errors show it.
struct Identity {
  std::string_view key;  // of the settings that bear on it
  std::vector<std::string> parts;
};

std::vector<std::string> parts_of(const std::string& spec) {
  const std::vector<std::string_view> parts = split(spec, ',');
  return {parts.begin(), parts.end()};
}

std::vector<Identity> identity_of(const AgentConfig& config, const AgentSettings& agent,
                                  const Environment& environment) {
  return {{"agent", parts_of(print_spec(config))},
          {to_text(environment.kind()), parts_of(environment.name())},
          {kAlphaRow.name, {to_text(agent.alpha)}},
          {kDeltaRow.name, {to_text(agent.delta)}},
          {kReserveRow.name, {to_text(agent.reserve)}},
          {kSeedRow.name, {std::to_string(agent.seed)}}};
}

// Whether a setting is about the agent, the environment, or whatever else `key` names.
bool concerns(const Setting& setting, std::string_view key) {
  const bool of_environment = key == "world" || key == "data";
  return setting.key == key || setting.key.starts_with(std::string(key) + ".") ||
         (of_environment && find_environment_flag(setting.key) != nullptr);
}

// The first part in which two differ; all of them if they are of other kinds.
std::pair<std::string, std::string> first_difference(const Identity& a, const Identity& b) {
  if (a.parts.size() != b.parts.size()) return {join(a.parts, ","), join(b.parts, ",")};
  const auto [in_a, in_b] = std::ranges::mismatch(a.parts, b.parts);
  return {*in_a, *in_b};
}

// The run's own settings with `given` over them: a SPEC, its parts and the environment's
// flags only mean something together. The SPECs are those that its save holds.
Result<RunConfig> config_over(const Run& run, std::span<const Setting> given) {
  const AgentSettings& agent = run.agent().settings();
  const std::string kind(to_text(run.environment().kind()));
  Draft draft;
  const std::array<Setting, 2> saved = {
      {{.key = "agent", .value = agent.agent, .place = "the saved run"},
       {.key = kind, .value = run.environment().name(), .place = "the saved run"}}};
  Status done = set_all(saved, draft);
  if (!done.ok()) return done.error();
  draft.values.settle(kAlphaRow, to_text(agent.alpha));
  draft.values.settle(kDeltaRow, to_text(agent.delta));
  draft.values.settle(kReserveRow, to_text(agent.reserve));
  draft.values.settle(kSeedRow, std::to_string(agent.seed));
  done = set_all(given, draft);
  if (!done.ok()) return done.error();
  return config_of(draft);
}

}  // namespace

Status check_same_run(const Run& run, std::span<const Setting> given, EnvironmentShelf& shelf) {
  for (const Setting& setting : given) {
    if (setting.key != kWarmStartRow.name) continue;
    return error_at(setting,
                    "a run that goes on has its first round, and so its warm start, behind it");
  }
  const Result<RunConfig> config = config_over(run, given);
  if (!config.ok()) return config.error();
  const Result<std::unique_ptr<Environment>> environment =
      shelf.make(config.value().environment, config.value().settings.seed);
  if (!environment.ok()) return environment.error();
  const std::vector<Identity> asked =
      identity_of(config.value().agent, config.value().settings, *environment.value());
  const std::vector<Identity> has =
      identity_of(run.agent().config(), run.agent().settings(), run.environment());
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i].parts == asked[i].parts && has[i].key == asked[i].key) continue;
    // The last, since it overrides. There is one: nothing else was added to what the run has.
    const auto culprit = std::find_if(given.rbegin(), given.rend(), [&](const Setting& setting) {
      return concerns(setting, has[i].key);
    });
    HANDRAIL_ASSERT(culprit != given.rend());
    const auto [wanted, kept] = first_difference(asked[i], has[i]);
    return error_at(*culprit, "asks for " + std::string(has[i].key) + " " + quoted(wanted) +
                                  ", and the run to go on with has " + quoted(kept));
  }
  return {};
}

}  // namespace handrail
