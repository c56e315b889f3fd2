#include "handrail/eval/run_settings.h"

#include "handrail/env/round_stream.h"

namespace handrail {
namespace {

constexpr double kMostSeeds = 18'446'744'073'709'551'615.0;  // of 64 bits

}  // namespace

constinit const ParameterSpec kRoundsRow =
    count_row("rounds", "rounds to play", "10000",
              {.low = 1.0, .high = static_cast<double>(kRoundLimit - 1)});

constinit const ParameterSpec kSeedRow =
    count_row("seed", "the same seed gives the same bits", "1", {.low = 0.0, .high = kMostSeeds});

constinit const ParameterSpec kWarmStartRow = {
    .name = "warm-start",
    .meaning = "log of plays to learn from first; empty: none",
    .fallback = "",
    .check = [](std::string_view /*path*/) { return Status(); },
    .form = "the path of a file"};

Status read_setting(const Setting& setting, ParameterValues& values) {
  if (setting.key == kWarmStartRow.name && setting.value.empty()) {
    return expected(setting, kWarmStartRow.form);
  }
  const Status set = values.set(setting.key, setting.value);
  return set.ok() ? set : error_at(setting, set.error().message);
}

}  // namespace handrail
