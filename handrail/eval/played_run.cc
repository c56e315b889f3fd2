#include "handrail/eval/played_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace handrail {
namespace {

double ratio_of(const ConstraintWatch& watch) {
  return watch.charged_sum() / watch.baseline_cost_sum();
}

CurvePoint point_of(const Run& run) {
  const Metrics& metrics = run.metrics();
  const double explored_share =
      static_cast<double>(metrics.explored()) / static_cast<double>(metrics.rounds());
  const double violated_share = metrics.promised().violated() ? 1.0 : 0.0;
  const double slack =
      run.agent().account().slack.value_or(std::numeric_limits<double>::quiet_NaN());
  return {metrics.regret(), ratio_of(metrics.promised()), explored_share, violated_share, slack};
}

PlayedRun summary_of(const Run& run) {
  const Metrics& metrics = run.metrics();
  const ConstraintWatch& promised = metrics.promised();
  const ConstraintWatch& hindsight = metrics.hindsight();
  const auto rounds = static_cast<double>(metrics.rounds());
  return {
      .regret = metrics.regret(),
      .cost_ratio = ratio_of(promised),
      .explored_share = static_cast<double>(metrics.explored()) / rounds,
      .baseline_rounds = static_cast<double>(metrics.baseline_played()),
      .violated_rounds_share = static_cast<double>(promised.violated_rounds()) / rounds,
      .first_violation = promised.first_violation().value_or(0),
      .largest_excess = promised.largest_excess(),
      .min_slack = run.min_slack(),
      .hindsight_cost_ratio = ratio_of(hindsight),
      .hindsight_violated_rounds_share = static_cast<double>(hindsight.violated_rounds()) / rounds,
      .hindsight_violating = hindsight.first_violation().has_value(),
      .seconds = run.seconds()};
}

}  // namespace

std::vector<std::uint64_t> checkpoints(std::uint64_t rounds) {
  constexpr std::uint64_t kEach = 100;
  std::vector<std::uint64_t> points = {1, rounds};
  const auto total = static_cast<double>(rounds);
  for (std::uint64_t i = 1; i <= kEach; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kEach);
    points.push_back(static_cast<std::uint64_t>(std::ceil(total * share)));
    points.push_back(static_cast<std::uint64_t>(std::ceil(std::pow(total, share))));
  }
  for (std::uint64_t& point : points) point = std::min(point, rounds);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::optional<PlayedRun> play(Run& run, std::uint64_t rounds, std::span<const std::uint64_t> points,
                              RunMonitor& monitor) {
  std::vector<CurvePoint> curve;
  curve.reserve(points.size());
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    if (monitor.stop.load(std::memory_order_relaxed)) return std::nullopt;
    run.advance();
    monitor.rounds_played.fetch_add(1, std::memory_order_relaxed);
    if (curve.size() < points.size() && points[curve.size()] == t) curve.push_back(point_of(run));
  }
  PlayedRun played = summary_of(run);
  played.curve = std::move(curve);
  return played;
}

}  // namespace handrail
