#include "handrail/eval/environment_flag.h"

#include <algorithm>
#include <array>
#include <string>

#include "handrail/base/assert.h"
#include "handrail/env/world.h"

namespace handrail {
namespace {

constexpr std::string_view kTrueOfWorlds =
    kBaselineKnownWords[static_cast<std::size_t>(kKnownInWorlds)];

constexpr std::array<EnvironmentFlag, 7> kFlags = {{
    {.name = "noise",
     .help = "none, bernoulli, or with labels flip:RATE [worlds bernoulli, data none]",
     .of_worlds = {.key = "noise"},
     .of_data = {.key = "noise"}},
    {.name = "delay",
     .help = "none, N, uniform:N or outcome:N:M [none]",
     .of_worlds = {.key = "delay"},
     .of_data = {.key = "delay"}},
    {.name = "baseline",
     .help = "worlds: rank:N, the N-th cheapest arm of each round; data: majority, minority, an "
             "arm, trained:N or column:NAME [majority]",
     .of_worlds = {.key = "rank", .prefix = "rank:"},
     .of_data = {.key = "baseline"}},
    {.name = "baseline-known",
     .help = "what the agent knows of its cost: mean, per_round, floor, unknown [data mean, "
             "worlds per_round]",
     .of_worlds = {.only = kTrueOfWorlds},
     .of_data = {.key = "baseline_known"}},
    {.name = "class",
     .help = "data: the class column [the last]",
     .of_worlds = {},
     .of_data = {.key = "class"}},
    {.name = "costs",
     .help = "data: columns with the cost of each arm, a,b,c, in place of a class",
     .of_worlds = {},
     .of_data = {.key = "costs", .takes_commas = true}},
    {.name = "cost-max",
     .help = "data: what the cost columns are divided by [1]",
     .of_worlds = {},
     .of_data = {.key = "cost_max"}},
}};

std::string_view name_of(EnvironmentKind kind) {
  return kind == EnvironmentKind::kWorld ? "worlds" : "data sets";
}

Error out_of_place(const Setting& flag, EnvironmentKind kind) {
  const bool is_world = kind == EnvironmentKind::kWorld;
  const EnvironmentKind other = is_world ? EnvironmentKind::kData : EnvironmentKind::kWorld;
  return error_at(flag, flag.key + " is for " + std::string(name_of(other)) + " only, and a " +
                            (is_world ? "world" : "data set") + " was named");
}

}  // namespace

std::span<const EnvironmentFlag> environment_flags() {
  return kFlags;
}

const EnvironmentFlag* find_environment_flag(std::string_view name) {
  const auto* const found = std::ranges::find(kFlags, name, &EnvironmentFlag::name);
  return found == kFlags.end() ? nullptr : found;
}

std::vector<std::string_view> with_environment_flags(std::span<const std::string_view> keys) {
  std::vector<std::string_view> all(keys.begin(), keys.end());
  for (const EnvironmentFlag& flag : kFlags) all.push_back(flag.name);
  return all;
}

Result<std::optional<Setting>> key_of_flag(const Setting& flag, EnvironmentKind kind) {
  const EnvironmentFlag* const found = find_environment_flag(flag.key);
  HANDRAIL_ASSERT(found != nullptr);
  const FlagMeaning& meaning = found->meaning(kind);
  const std::string kinds(name_of(kind));
  if (meaning.key.empty()) {
    if (meaning.only.empty()) return out_of_place(flag, kind);
    if (flag.value == meaning.only) return std::optional<Setting>();
    return expected(flag, std::string(meaning.only) + ", the only kind that " + kinds + " have,");
  }
  if (!flag.value.starts_with(meaning.prefix)) {
    return expected(flag, std::string(meaning.prefix) + "N, which is what " + kinds + " have,");
  }
  Setting key{.key = std::string(meaning.key),
              .value = flag.value.substr(meaning.prefix.size()),
              .place = flag.place};
  if (meaning.takes_commas) std::ranges::replace(key.value, ',', '|');
  return std::optional(std::move(key));
}

}  // namespace handrail
