// What a comparison consists of: every agent in every environment at every alpha, many times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "handrail/agent/config.h"
#include "handrail/config/setting.h"
#include "handrail/eval/environment_config.h"
#include "handrail/eval/run_settings.h"

namespace handrail {

struct ComparedEnvironment {
  std::string text;  // the SPEC as given
  EnvironmentConfig plan;
};

// An agent whose SPEC gives several values to a parameter (lr=0.1|0.01) stands for as many
// candidates, and the one with the least regret on seeds of its own is compared with the others.
struct Candidate {
  std::string text;  // the SPEC with one value for each parameter
  AgentConfig config;
};
struct ComparedAgent {
  std::string text;                   // the SPEC as given
  std::vector<Candidate> candidates;  // one if there is nothing to choose
};

// Run r uses seed + r for environment and agent; run r of the choice among candidates uses
// seed + kTuningOffset + r.
inline constexpr std::uint64_t kTuningOffset = 1'000'000;

struct ComparisonPlan {
  std::string title = {};
  std::vector<ComparedEnvironment> environments = {};
  std::vector<ComparedAgent> agents = {};
  std::vector<double> alphas = {};
  std::uint64_t runs = 0;
  std::uint64_t tuning_runs = 0;
  std::uint64_t rounds = 0;
  std::uint64_t seed = 0;
  double delta = 0.0;
  double reserve = 0.0;
  std::string warm_start = {};  // path of the log that every agent learns from first; empty: none
  std::uint32_t warm_start_checksum = 0;  // of its bytes
};

// One box of the table.
struct Cell {
  std::size_t environment = 0;
  std::size_t agent = 0;
  std::size_t alpha = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
  friend bool operator<(const Cell& a, const Cell& b) {
    return std::tie(a.environment, a.agent, a.alpha) < std::tie(b.environment, b.agent, b.alpha);
  }
};
std::vector<Cell> cells_of(const ComparisonPlan& plan);

// Keys: data, world, agent and alpha, each as often as wanted; runs, tuning-runs, rounds, seed,
// delta, reserve, title, warm-start; the flags of environments, which a SPEC's own key overrides.
// Every error names the place of its setting.
Result<ComparisonPlan> plan_comparison(std::span<const Setting> settings);
// The same keys for the help of a command.
std::vector<SettingHelp> comparison_help();

// The SPECs that `spec` stands for: one for each choice of values among "a|b". Stops once there are
// more than kMostCandidates.
inline constexpr std::size_t kMostCandidates = 1000;
std::vector<Spec> expand_grid(const Spec& spec);

}  // namespace handrail
