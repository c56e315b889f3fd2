#include "handrail/eval/summary.h"

#include <algorithm>
#include <cmath>

namespace handrail {
namespace {

RunKey key_of(const CellSummary& cell, std::uint64_t run) {
  return {.cell = cell.cell, .candidate = cell.candidate, .run = run};
}

std::vector<double> regrets_of(std::span<const PlayedRun> runs) {
  std::vector<double> regrets;
  regrets.reserve(runs.size());
  for (const PlayedRun& run : runs) regrets.push_back(run.values[metric_index("regret")].value());
  return regrets;
}

Result<std::vector<PlayedRun>> runs_of(const ComparisonPlan& plan, const Journal& journal,
                                       const CellSummary& cell) {
  std::vector<PlayedRun> runs;
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    Result<PlayedRun> played = journal.summary(key_of(cell, run));
    if (!played.ok()) return played.error();
    runs.push_back(std::move(played).value());
  }
  return runs;
}

void reduce_runs(std::span<const PlayedRun> runs, CellSummary& summary) {
  std::vector<MetricValue> values(runs.size());
  for (std::size_t i = 0; i < kCellColumns.size(); ++i) {
    const auto& [metric, shown] = kCellColumns[i];
    std::ranges::transform(runs, values.begin(),
                           [&](const PlayedRun& run) { return run.values[metric]; });
    summary.columns[i] = reduce(shown.reduction, values);
  }
}

TuningSummary summarise_tuning(const CellSummary& cell, const TuningRegrets& regrets) {
  TuningSummary tuning{.cell = cell.cell, .chosen = cell.candidate, .candidates = {}};
  for (std::size_t candidate = 0; candidate < regrets.size(); ++candidate) {
    tuning.candidates.push_back({.candidate = candidate, .regret = mean_of(regrets[candidate])});
  }
  return tuning;
}

RegretDifference difference_of(const Cell& cell, std::size_t against,
                               std::span<const double> regrets, std::span<const double> others) {
  std::vector<double> differences(regrets.size());
  for (std::size_t run = 0; run < regrets.size(); ++run) {
    differences[run] = regrets[run] - others[run];
  }
  return {.cell = cell,
          .against = against,
          .regret = mean_of(differences),
          .interval = mean_interval(differences)};
}

}  // namespace

Result<ComparisonSummary> summarise(const ComparisonPlan& plan, const Journal& journal) {
  ComparisonSummary summary;
  std::vector<std::vector<double>> regrets;  // of the cells that share environment and alpha
  for (const Cell& cell : cells_of(plan)) {
    if (cell.agent == 0) regrets.clear();
    const Result<TuningRegrets> tuning = tuning_regrets(plan, journal, cell);
    if (!tuning.ok()) return tuning.error();
    CellSummary reduced{.cell = cell, .candidate = chosen_candidate(tuning.value())};
    const Result<std::vector<PlayedRun>> runs = runs_of(plan, journal, reduced);
    if (!runs.ok()) return runs.error();
    reduce_runs(runs.value(), reduced);
    summary.cells.push_back(reduced);
    regrets.push_back(regrets_of(runs.value()));
    for (std::size_t other = 0; other < cell.agent; ++other) {
      summary.differences.push_back(
          difference_of(cell, other, regrets[cell.agent], regrets[other]));
    }
    if (tuning.value().empty()) continue;
    summary.tunings.push_back(summarise_tuning(summary.cells.back(), tuning.value()));
  }
  return summary;
}

Result<CurveSummaries> summarise_curve(const ComparisonPlan& plan, const Journal& journal,
                                       const CellSummary& cell, std::size_t checkpoint) {
  std::vector<CurvePoint> points;
  points.reserve(plan.runs);
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    const Result<CurvePoint> point = journal.curve_point(key_of(cell, run), checkpoint);
    if (!point.ok()) return point.error();
    points.push_back(point.value());
  }
  CurveSummaries summaries;
  std::vector<double> values(points.size());
  for (std::size_t quantity = 0; quantity < kCurveMetrics.size(); ++quantity) {
    std::ranges::transform(points, values.begin(),
                           [&](const CurvePoint& point) { return point[quantity]; });
    if (std::ranges::any_of(values, [](double value) { return !std::isfinite(value); })) continue;
    const MeanWithError mean = mean_of(values);
    std::ranges::sort(values);
    summaries[quantity] = {.mean = mean.mean,
                           .standard_error = mean.standard_error,
                           .q05 = quantile(values, 0.05),
                           .q25 = quantile(values, 0.25),
                           .q50 = quantile(values, 0.5),
                           .q75 = quantile(values, 0.75),
                           .q95 = quantile(values, 0.95)};
  }
  return summaries;
}

}  // namespace handrail
