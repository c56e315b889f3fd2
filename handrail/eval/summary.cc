#include "handrail/eval/summary.h"

#include <algorithm>
#include <cmath>

namespace handrail {
namespace {

RunKey key_of(const CellSummary& cell, std::uint64_t run) {
  return {.cell = cell.cell, .candidate = cell.candidate, .run = run};
}

void add_run(const PlayedRun& run, CellSummary& sums) {
  sums.cost_ratio += run.cost_ratio;
  sums.explored_share += run.explored_share;
  sums.baseline_rounds += run.baseline_rounds;
  sums.violated_rounds_share += run.violated_rounds_share;
  sums.hindsight_cost_ratio += run.hindsight_cost_ratio;
  sums.hindsight_violated_rounds_share += run.hindsight_violated_rounds_share;
  sums.hindsight_violating_runs += run.hindsight_violating ? 1 : 0;
  sums.seconds += run.seconds;
  sums.largest_excess = std::max(sums.largest_excess, run.largest_excess);
  if (run.min_slack.has_value()) {
    sums.min_slack = std::min(sums.min_slack.value_or(*run.min_slack), *run.min_slack);
  }
  if (run.first_violation == 0) return;
  ++sums.violating_runs;
  sums.first_violation =
      std::min(sums.first_violation.value_or(run.first_violation), run.first_violation);
}

void divide_sums(double runs, CellSummary& sums) {
  for (double* sum :
       {&sums.cost_ratio, &sums.explored_share, &sums.baseline_rounds, &sums.violated_rounds_share,
        &sums.hindsight_cost_ratio, &sums.hindsight_violated_rounds_share}) {
    *sum /= runs;
  }
}

struct SummedCell {
  CellSummary summary;
  std::vector<double> regrets;  // of each run
};

Result<SummedCell> summarise_cell(const ComparisonPlan& plan, const Journal& journal,
                                  const Cell& cell, std::size_t candidate) {
  CellSummary summary{.cell = cell, .candidate = candidate, .regret = {}};
  summary.largest_excess = -std::numeric_limits<double>::infinity();
  std::vector<double> regrets;
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    const Result<PlayedRun> played = journal.summary(key_of(summary, run));
    if (!played.ok()) return played.error();
    add_run(played.value(), summary);
    regrets.push_back(played.value().regret);
  }
  divide_sums(static_cast<double>(plan.runs), summary);
  summary.regret = mean_of(regrets);
  return SummedCell{summary, std::move(regrets)};
}

TuningSummary summarise_tuning(const CellSummary& cell, const TuningRegrets& regrets) {
  TuningSummary tuning{.cell = cell.cell, .chosen = cell.candidate, .candidates = {}};
  for (std::size_t candidate = 0; candidate < regrets.size(); ++candidate) {
    tuning.candidates.push_back({.candidate = candidate, .regret = mean_of(regrets[candidate])});
  }
  return tuning;
}

Difference difference_of(const Cell& cell, std::size_t against, std::span<const double> regrets,
                         std::span<const double> others) {
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
    Result<SummedCell> summed =
        summarise_cell(plan, journal, cell, chosen_candidate(tuning.value()));
    if (!summed.ok()) return summed.error();
    summary.cells.push_back(summed.value().summary);
    regrets.push_back(std::move(summed.value().regrets));
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
  for (std::size_t quantity = 0; quantity < kCurveQuantities; ++quantity) {
    std::ranges::transform(points, values.begin(),
                           [&](const CurvePoint& point) { return point[quantity]; });
    if (std::ranges::any_of(values, [](double value) { return !std::isfinite(value); })) continue;
    const MeanWithError mean = mean_of(values);
    std::ranges::sort(values);
    summaries[quantity] = {.value = mean,
                           .q05 = quantile(values, 0.05),
                           .q25 = quantile(values, 0.25),
                           .q50 = quantile(values, 0.5),
                           .q75 = quantile(values, 0.75),
                           .q95 = quantile(values, 0.95)};
  }
  return summaries;
}

}  // namespace handrail
