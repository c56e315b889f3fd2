#include "handrail/eval/played_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace handrail {
namespace {

CurvePoint point_of(const MeasuredRun& run) {
  CurvePoint point = {};
  for (std::size_t i = 0; i < point.size(); ++i) {
    const MetricValue value = kMetrics[kCurveMetrics[i]].read(run);
    point[i] = value.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  return point;
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
    if (curve.size() < points.size() && points[curve.size()] == t) {
      curve.push_back(point_of(run.measured()));
    }
  }
  PlayedRun played{.curve = std::move(curve)};
  const MeasuredRun measured = run.measured();
  std::ranges::transform(kMetrics, played.values.begin(),
                         [&](const Metric& metric) { return metric.read(measured); });
  return played;
}

}  // namespace handrail
