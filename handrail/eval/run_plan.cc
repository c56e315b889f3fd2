#include "handrail/eval/run_plan.h"

#include <algorithm>
#include <array>

#include "handrail/agent/config.h"
#include "handrail/base/text.h"
#include "handrail/env/world.h"

namespace handrail {
namespace {

constexpr std::array<std::string_view, 11> kKeys = {"agent",   "world",    "alpha",         "delta",
                                                    "reserve", "rounds",   "seed",          "noise",
                                                    "delay",   "baseline", "baseline-known"};

Error at(const Setting& setting, std::string_view message) {
  return Error{setting.place + ": " + std::string(message)};
}

Error expected(const Setting& setting, std::string_view what) {
  return at(setting,
            setting.key + " is \"" + setting.value + "\"; " + std::string(what) + " was expected");
}

// Sets key=value in a SPEC, over what it says of the key.
std::string with_key(std::string_view spec, std::string_view key, std::string_view value) {
  const std::size_t colon = spec.find(':');
  std::string text(spec.substr(0, colon));
  char separator = ':';
  const std::string_view parts =
      colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  for (const std::string_view part : split(parts, ',')) {
    if (part.empty() || part.substr(0, part.find('=')) == key) continue;
    text += separator + std::string(part);
    separator = ',';
  }
  return text + separator + std::string(key) + "=" + std::string(value);
}

// A SPEC may come whole or in parts; either way it becomes text again. The parts' own places are in
// the errors of the parts.
class SpecParts {
 public:
  explicit SpecParts(std::string_view name_key) : name_key_(name_key) {}

  Status set_whole(const Setting& setting) {
    if (setting.value.empty()) return at(setting, setting.key + " is empty; a SPEC was expected");
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
  // NAME:a=b,c=d.
  std::string text(std::string_view otherwise) const {
    std::string text = spec_.empty() ? std::string(otherwise) : spec_;
    for (const Setting& part : parts_) text = with_key(text, part.key, part.value);
    return text;
  }
  bool given() const { return !spec_.empty() || !parts_.empty(); }
  const std::string& place() const { return place_.empty() ? parts_.front().place : place_; }
  std::span<const Setting> parts() const { return parts_; }
  const std::string& whole() const { return spec_; }

 private:
  std::string_view name_key_;
  std::string spec_;
  std::string place_;
  std::vector<Setting> parts_;
};

struct Draft {
  RunPlan plan;
  SpecParts agent{"preset"};
  SpecParts world{"name"};
  std::vector<Setting> world_flags;  // noise, delay, baseline: what they mean depends on the world
};

Status set_number(const Setting& setting, double& out) {
  const std::optional<double> number = to_number(setting.value);
  if (!number.has_value()) return expected(setting, "a number");
  out = *number;
  return {};
}

Status set_count(const Setting& setting, std::uint64_t low, std::uint64_t& out) {
  const std::optional<std::uint64_t> number = to_count(setting.value);
  if (!number.has_value() || *number < low) {
    return expected(setting, "a whole number from " + std::to_string(low) + " on");
  }
  out = *number;
  return {};
}

Status set_plain(const Setting& setting, Draft& draft) {
  RunPlan& plan = draft.plan;
  if (setting.key == "alpha") return set_number(setting, plan.agent.alpha);
  if (setting.key == "delta") return set_number(setting, plan.agent.delta);
  if (setting.key == "reserve") return set_number(setting, plan.agent.reserve);
  if (setting.key == "rounds") return set_count(setting, 1, plan.rounds);
  if (setting.key == "seed") return set_count(setting, 0, plan.agent.seed);
  if (setting.key == "baseline-known") {
    if (setting.value == "per_round") return {};
    return expected(setting, "per_round, the only kind that worlds have,");
  }
  return at(setting, "no setting is called \"" + setting.key + "\"; the nearest is \"" +
                         std::string(nearest(setting.key, kKeys)) + "\"");
}

Status set(const Setting& setting, Draft& draft) {
  const std::string_view key = setting.key;
  for (SpecParts* spec : {&draft.agent, &draft.world}) {
    const std::string_view name = spec == &draft.agent ? "agent" : "world";
    if (key == name) return spec->set_whole(setting);
    if (key.starts_with(name) && key.substr(name.size()).starts_with('.')) {
      return spec->set_part(setting, key.substr(name.size() + 1));
    }
  }
  if (key == "noise" || key == "delay" || key == "baseline") {
    draft.world_flags.push_back(setting);
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
    if (!set.ok()) return at(part, set.error().message);
  }
  return {};
}

// Whether a setting is about the agent, the world, or whatever else `key` names.
bool concerns(const Setting& setting, const std::string& key) {
  const bool world_flag =
      setting.key == "noise" || setting.key == "delay" || setting.key == "baseline";
  return setting.key == key || setting.key.starts_with(key + ".") || (world_flag && key == "world");
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

// Noise, delay and baseline as flags are keys of the world.
Result<std::string> world_text(const Draft& draft) {
  std::string text = draft.world.text("linear");
  for (const Setting& flag : draft.world_flags) {
    if (flag.key != "baseline") {
      text = with_key(text, flag.key, flag.value);
      continue;
    }
    if (!flag.value.starts_with("rank:")) {
      return expected(flag, "rank:N, which is what worlds have,");
    }
    text = with_key(text, "rank", flag.value.substr(5));
  }
  return text;
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
  plan.agent.agent = draft.agent.text(plan.agent.agent);
  const Result<std::string> text = world_text(draft);
  if (!text.ok()) return text.error();
  WorldConfig defaults;
  defaults.seed = plan.agent.seed;
  const Result<WorldConfig> world = parse_world(text.value(), defaults);
  if (!world.ok()) {
    const std::string place = draft.world.given()
                                  ? draft.world.place()
                                  : (draft.world_flags.empty() ? "" : draft.world_flags[0].place);
    return Error{place + ": " + world.error().message};
  }
  plan.world = world.value();
  plan.agent.layout = make_world(plan.world)->layout();
  return plan;
}

Result<Run> start_run(const RunPlan& plan) {
  Result<Agent> agent = Agent::make(plan.agent);
  if (!agent.ok()) return agent.error();
  return Run(make_world(plan.world), std::move(agent).value());
}

std::vector<Setting> settings_of(const Run& run) {
  const AgentSettings& agent = run.agent().settings();
  const std::string place = "the saved run";
  return {{"agent", agent.agent, place},
          {"world", run.environment().name(), place},
          {"alpha", to_text(agent.alpha), place},
          {"delta", to_text(agent.delta), place},
          {"reserve", to_text(agent.reserve), place},
          {"seed", std::to_string(agent.seed), place}};
}

Status check_same_run(const Run& run, std::span<const Setting> given) {
  // All at once: a SPEC, its parts and the world's flags only mean something together.
  const std::vector<Setting> was = settings_of(run);
  std::vector<Setting> asked = was;
  for (const Setting& setting : given) {
    if (setting.key != "rounds") asked.push_back(setting);
  }
  const Result<RunPlan> plan = plan_run(asked);
  if (!plan.ok()) return plan.error();
  const Result<Run> like = start_run(plan.value());
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
    return at(*culprit, "asks for " + was[i].key + " \"" + std::string(wanted) +
                            "\", and the run to go on with has \"" + std::string(kept) + "\"");
  }
  return {};
}

}  // namespace handrail
