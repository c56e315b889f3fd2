#include "handrail/eval/run_settings.h"

#include "handrail/env/round_stream.h"
#include "handrail/eval/environment_flag.h"

namespace handrail {
namespace {

constexpr double kSeedCount = 0x1.0p64;

}  // namespace

constinit const ParameterSpec kRoundsRow =
    count_row("rounds", "rounds to play", "10000",
              {.low = 1.0, .high = static_cast<double>(kRoundLimit - 1)});

constinit const ParameterSpec kSeedRow = {.name = "seed",
                                          .meaning = "seed of the world and of the agent",
                                          .fallback = "1",
                                          .low = 0.0,
                                          .high = kSeedCount,
                                          .high_is_open = true,
                                          .whole = true};

constinit const ParameterSpec kWarmStartRow = {
    .name = "warm-start",
    .meaning = "log of plays to learn from before round 1, CSV or JSON lines",
    .fallback = "",
    .check = [](std::string_view /*path*/) { return Status(); },
    .form = "the path of a file"};

SettingHelp help_of(const ParameterSpec& row) {
  const std::string shown = row.fallback.empty() ? "none" : std::string(row.fallback);
  return {.name = row.name, .meaning = std::string(row.meaning) + " [" + shown + "]"};
}

std::vector<SettingHelp> help_of_specs() {
  return {{.name = "agent",
           .meaning = "SPEC of the agent, NAME[:key=value,...]; see `handrail agents`"},
          {.name = "world",
           .meaning = "SPEC of the built-in world, NAME[:key=value,...]; see `handrail agents`"},
          {.name = "data",
           .meaning = "SPEC of a data set in place of a world, NAME[:key=value,...]; NAME may be a "
                      "path"}};
}

std::vector<SettingHelp> help_of_flags() {
  std::vector<SettingHelp> all;
  for (const EnvironmentFlag& flag : environment_flags()) {
    all.push_back({.name = flag.name, .meaning = std::string(flag.help)});
  }
  return all;
}

Status read_setting(const Setting& setting, ParameterValues& values) {
  if (setting.key == kWarmStartRow.name && setting.value.empty()) {
    return expected(setting, kWarmStartRow.form);
  }
  const Status set = values.set(setting.key, setting.value);
  return set.ok() ? set : error_at(setting, set.error().message);
}

}  // namespace handrail
