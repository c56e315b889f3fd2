#include "handrail/eval/run_plan.h"

#include <algorithm>
#include <array>

#include "handrail/agent/config.h"
#include "handrail/base/text.h"
#include "handrail/config/spec.h"
#include "handrail/data/play_log.h"
#include "handrail/eval/environment_flag.h"

namespace handrail {
namespace {

// Beside the flags of environments.
constexpr std::array<std::string_view, 9> kKeys = {
    "agent", "world", "data", "alpha", "delta", "reserve", "rounds", "seed", "warm-start"};

// A SPEC may come whole or in parts, each with its own place for errors.
class SpecParts {
 public:
  SpecParts(std::string_view name_key, NameForm form) : name_key_(name_key), form_(form) {}

  Status set_whole(const Setting& setting) {
    if (setting.value.empty()) {
      return error_at(setting, setting.key + " is empty; a SPEC was expected");
    }
    spec_ = setting.value;
    place_ = setting.place;
    parts_.clear();
    return {};
  }
  Status set_part(const Setting& setting, std::string_view key) {
    if (setting.value.find(',') != std::string::npos) {
      return expected(setting, "a value without commas");
    }
    Setting part = setting;
    part.key = std::string(key);
    if (key != name_key_) {
      parts_.push_back(std::move(part));
      return {};
    }
    spec_ = setting.value;
    place_ = setting.place;
    return {};
  }
  Result<Spec> spec(const std::string& otherwise) const {
    Result<Spec> spec = parse_spec({.key = std::string(name_key_),
                                    .value = spec_.empty() ? otherwise : spec_,
                                    .place = place()},
                                   form_);
    for (const Setting& part : parts_) {
      if (!spec.ok()) return spec;
      const Status set = set_key(spec.value(), part);
      if (!set.ok()) return set.error();
    }
    return spec;
  }
  bool given() const { return !spec_.empty() || !parts_.empty(); }
  const std::string& place() const {
    return place_.empty() && !parts_.empty() ? parts_.front().place : place_;
  }
  std::span<const Setting> parts() const { return parts_; }
  const std::string& whole() const { return spec_; }

 private:
  std::string_view name_key_;
  NameForm form_;
  std::string spec_;
  std::string place_;
  std::vector<Setting> parts_;
};

struct Draft {
  RunPlan plan;
  SpecParts agent{"preset", NameForm::kPlain};
  SpecParts world{"name", name_form(EnvironmentKind::kWorld)};
  SpecParts data{"name", name_form(EnvironmentKind::kData)};
  std::vector<Setting> flags;  // of the environment: what they mean depends on its kind
};

Status set_plain(const Setting& setting, Draft& draft) {
  RunPlan& plan = draft.plan;
  if (setting.key == "alpha") return read_number(setting, plan.agent.alpha);
  if (setting.key == "delta") return read_number(setting, plan.agent.delta);
  if (setting.key == "reserve") return read_number(setting, plan.agent.reserve);
  if (setting.key == "rounds") return read_count(setting, 1, plan.rounds);
  if (setting.key == "seed") return read_count(setting, 0, plan.agent.seed);
  if (setting.key == "warm-start") return read_path(setting, plan.warm_start);
  return unknown_key(setting, with_environment_flags(kKeys));
}

Status set(const Setting& setting, Draft& draft) {
  const Status single = expect_single(setting);
  if (!single.ok()) return single;
  const std::string_view key = setting.key;
  const std::array<std::pair<std::string_view, SpecParts*>, 3> specs = {
      {{"agent", &draft.agent}, {"world", &draft.world}, {"data", &draft.data}}};
  for (const auto& [name, spec] : specs) {
    if (key == name) return spec->set_whole(setting);
    if (key.starts_with(name) && key.substr(name.size()).starts_with('.')) {
      return spec->set_part(setting, key.substr(name.size() + 1));
    }
  }
  if (find_environment_flag(key) != nullptr) {
    draft.flags.push_back(setting);
    return {};
  }
  return set_plain(setting, draft);
}

// Part by part, so that an error names the part's own place.
Status check_agent_parts(const SpecParts& agent, const AgentSettings& defaults) {
  Result<AgentConfig> config = parse_agent(agent.whole().empty() ? defaults.agent : agent.whole());
  if (!config.ok()) return Error{agent.place() + ": " + config.error().message};
  for (const Setting& part : agent.parts()) {
    const Status set = set_parameter(config.value(), part.key, part.value);
    if (!set.ok()) return error_at(part, set.error().message);
  }
  return {};
}

// Whether a setting is about the agent, the environment, or whatever else `key` names.
bool concerns(const Setting& setting, const std::string& key) {
  const bool of_environment = key == "world" || key == "data";
  return setting.key == key || setting.key.starts_with(key + ".") ||
         (of_environment && find_environment_flag(setting.key) != nullptr);
}

// The first parts in which two spelled-out SPECs differ; all of them if they are of other kinds.
std::pair<std::string_view, std::string_view> first_difference(std::string_view a,
                                                               std::string_view b) {
  const std::vector<std::string_view> parts_of_a = split(a, ',');
  const std::vector<std::string_view> parts_of_b = split(b, ',');
  if (parts_of_a.size() != parts_of_b.size()) return {a, b};
  const auto [in_a, in_b] = std::ranges::mismatch(parts_of_a, parts_of_b);
  return {*in_a, *in_b};
}

Result<EnvironmentPlan> plan_environment(const Draft& draft) {
  const bool is_data = draft.data.given();
  if (is_data && draft.world.given()) {
    return Error{draft.data.place() + ": names a data set, and " + draft.world.place() +
                 " a world; one of them was expected"};
  }
  const SpecParts& spec = is_data ? draft.data : draft.world;
  if (is_data && draft.data.whole().empty()) {
    return Error{draft.data.place() + ": data needs a name"};
  }
  const Result<Spec> whole = spec.spec("linear");
  if (!whole.ok()) return whole.error();
  return plan_environment(is_data ? EnvironmentKind::kData : EnvironmentKind::kWorld, whole.value(),
                          draft.flags, Precedence::kFlag);
}

}  // namespace

Result<RunPlan> plan_run(std::span<const Setting> settings) {
  Draft draft;
  for (const Setting& setting : settings) {
    const Status done = set(setting, draft);
    if (!done.ok()) return done.error();
  }
  RunPlan plan = draft.plan;
  if (draft.agent.given()) {
    const Status parts = check_agent_parts(draft.agent, plan.agent);
    if (!parts.ok()) return parts.error();
  }
  const Result<Spec> agent = draft.agent.spec(plan.agent.agent);
  if (!agent.ok()) return agent.error();
  plan.agent.agent = to_text(agent.value());
  const Result<EnvironmentPlan> environment = plan_environment(draft);
  if (!environment.ok()) return environment.error();
  plan.environment = environment.value();
  return plan;
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

Result<Run> start_run(const RunPlan& plan, EnvironmentShelf& shelf) {
  Result<std::unique_ptr<Environment>> environment = shelf.make(plan.environment, plan.agent.seed);
  if (!environment.ok()) return environment.error();
  AgentSettings settings = plan.agent;
  settings.layout = environment.value()->layout();
  settings.baseline_known = environment.value()->baseline_known();
  Result<Agent> agent = Agent::make(settings);
  if (!agent.ok()) return agent.error();
  if (!plan.warm_start.empty()) {
    const Status taught = warm_start(plan.warm_start, agent.value());
    if (!taught.ok()) return taught.error();
  }
  return Run(std::move(environment).value(), std::move(agent).value());
}

std::vector<Setting> settings_of(const Run& run) {
  const AgentSettings& agent = run.agent().settings();
  const std::string place = "the saved run";
  return {{"agent", agent.agent, place},
          {std::string(to_text(run.environment().kind())), run.environment().name(), place},
          {"alpha", to_text(agent.alpha), place},
          {"delta", to_text(agent.delta), place},
          {"reserve", to_text(agent.reserve), place},
          {"seed", std::to_string(agent.seed), place}};
}

Status check_same_run(const Run& run, std::span<const Setting> given, EnvironmentShelf& shelf) {
  // All at once: a SPEC, its parts and the world's flags only mean something together.
  const std::vector<Setting> was = settings_of(run);
  std::vector<Setting> asked = was;
  for (const Setting& setting : given) {
    if (setting.key == "warm-start") {
      return error_at(setting,
                      "a run that goes on has its first round, and so its warm start, "
                      "behind it");
    }
    if (setting.key != "rounds") asked.push_back(setting);
  }
  const Result<RunPlan> plan = plan_run(asked);
  if (!plan.ok()) return plan.error();
  const Result<Run> like = start_run(plan.value(), shelf);
  if (!like.ok()) return like.error();
  const std::vector<Setting> is = settings_of(like.value());
  for (std::size_t i = 0; i < was.size(); ++i) {
    if (was[i].value == is[i].value) continue;
    // The last, since it overrides. There is one: nothing else was added to the run's own settings.
    const auto culprit = std::find_if(given.rbegin(), given.rend(), [&](const Setting& setting) {
      return concerns(setting, was[i].key);
    });
    HANDRAIL_ASSERT(culprit != given.rend());
    const auto [wanted, kept] = first_difference(is[i].value, was[i].value);
    return error_at(*culprit, "asks for " + was[i].key + " " + quoted(wanted) +
                                  ", and the run to go on with has " + quoted(kept));
  }
  return {};
}

}  // namespace handrail
