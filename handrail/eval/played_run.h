// One run of a comparison, played to its end: what remains of it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/eval/run.h"

namespace handrail {

// How a run stood after a round, in the order of these names. The cost ratio is what was charged so
// far over the baseline's cost so far; a share is of the rounds so far, but violated_share is 1
// while the constraint is broken, so that its mean is a share of runs; slack is NaN for gates that
// certify none.
inline constexpr std::array<std::string_view, 5> kCurveNames = {
    "regret", "cost_ratio", "explored_share", "violated_share", "slack"};
inline constexpr std::size_t kCurveQuantities = kCurveNames.size();
using CurvePoint = std::array<double, kCurveQuantities>;

struct PlayedRun {
  double regret = 0.0;
  double cost_ratio = 0.0;
  double explored_share = 0.0;
  double baseline_rounds = 0.0;
  double violated_rounds_share = 0.0;
  std::uint64_t first_violation = 0;  // 0: none
  double largest_excess = 0.0;
  std::optional<double> min_slack = std::nullopt;
  double hindsight_cost_ratio = 0.0;
  double hindsight_violated_rounds_share = 0.0;
  bool hindsight_violating = false;
  double seconds = 0.0;                // of deciding and learning
  std::vector<CurvePoint> curve = {};  // at checkpoints()
};

// About 200 rounds at which curves are drawn: half of them evenly spaced, half by their logarithm,
// the first and the last round among them.
std::vector<std::uint64_t> checkpoints(std::uint64_t rounds);

// What lets an onlooker follow runs, and stop them.
struct RunMonitor {
  std::atomic<std::uint64_t> rounds_played{0};
  std::atomic<bool> stop{false};
};

// Plays `rounds` rounds, and notes the curve at `points`. Nothing if it was stopped.
std::optional<PlayedRun> play(Run& run, std::uint64_t rounds, std::span<const std::uint64_t> points,
                              RunMonitor& monitor);

}  // namespace handrail
