// One run of a comparison, played to its end: what remains of it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "handrail/eval/metric_table.h"
#include "handrail/eval/run.h"

namespace handrail {

// How a run stood after a round, in the order of kCurveMetrics; NaN for what it has no value of.
using CurvePoint = std::array<double, kCurveMetrics.size()>;

struct PlayedRun {
  // In the order of kMetrics. One that comes from a journal has those of kJournalMetrics only.
  std::array<MetricValue, kMetrics.size()> values = {};
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
