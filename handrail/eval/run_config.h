// From settings, as flags and files give them, to a run that can start.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/agent/config.h"
#include "handrail/config/setting.h"
#include "handrail/eval/environment_config.h"
#include "handrail/eval/run.h"
#include "handrail/eval/run_settings.h"

namespace handrail {

struct RunConfig {
  AgentConfig agent;
  // The rest of what an agent is made from. Its layout and what is known of the baseline's cost are
  // settled when the environment is made; its SPEC is not read.
  AgentSettings settings;
  EnvironmentConfig environment;
  std::uint64_t rounds = 0;
  std::string warm_start = {};  // path of a log of plays to learn from first; empty: none
};

// Keys: agent (a SPEC) or agent.preset and agent.KEY; world (a SPEC) or world.name and world.KEY,
// or data likewise; alpha, delta, reserve, rounds, seed, warm-start; the flags of environments. A
// later setting overrides an earlier one of the same key, and a whole SPEC overrides the parts
// given before it. An unknown key is an error that names the nearest known one; every error names
// the place of its setting.
Result<RunConfig> read_run(std::span<const Setting> settings);

// The same keys for the help of a command.
std::vector<SettingHelp> run_help();

Result<Run> start_run(const RunConfig& config, EnvironmentShelf& shelf);

// How many rounds the settings of a run that goes on ask for.
Result<std::uint64_t> read_rounds(std::span<const Setting> settings);

// Whether `given` asks for anything else than what `run` is; then an error that names the first.
Status check_same_run(const Run& run, std::span<const Setting> given, EnvironmentShelf& shelf);

}  // namespace handrail
