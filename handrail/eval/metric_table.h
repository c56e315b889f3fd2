// Every metric of a run, a row each: its name and meaning, how it is read off a run, where it is
// shown and how it is reduced over the runs of a cell. The output of `run`, the journal, the files
// of a comparison, the curves, the page's types and docs/reference/results.md all come from these
// rows. A new metric is one row and, if nothing measures it yet, the code that does.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "handrail/eval/metric.h"

namespace handrail {

inline double share_of(std::uint64_t count, const MeasuredRun& run) {
  return static_cast<double>(count) / static_cast<double>(run.metrics.rounds());
}
inline double ratio_of(const ConstraintWatch& watch) {
  return watch.charged_sum() / watch.baseline_cost_sum();
}
constexpr MetricValue value_of(std::uint64_t count) {
  return static_cast<double>(count);
}

// In the order in which they are shown, written and read.
inline constexpr auto kMetrics = std::to_array<Metric>({
    {.name = "rounds",
     .kind = MetricKind::kCount,
     .meaning = "rounds that the run has behind it",
     .read = [](const MeasuredRun& run) { return value_of(run.metrics.rounds()); },
     .run_output = RunOutput::kFound},
    {.name = "regret",
     .kind = MetricKind::kNumber,
     .meaning = "Σ expected cost of the played arm − best cost",
     .read = [](const MeasuredRun& run) -> MetricValue { return run.metrics.regret(); },
     .run_output = RunOutput::kFound,
     .in_curves = true,
     .columns = {{{.name = "regret",
                   .reduction = Reduction::kMeanWithError,
                   .meaning = "at the last round, over the runs"}}}},
    {.name = "cost_sum",
     .kind = MetricKind::kNumber,
     .meaning = "Σ expected cost of the played arm",
     .read = [](const MeasuredRun& run) -> MetricValue { return run.metrics.cost_sum(); },
     .run_output = RunOutput::kFound},
    {.name = "charged_sum",
     .kind = MetricKind::kNumber,
     .meaning = "left side of the constraint: a round that plays the baseline is charged what the "
                "agent was told that it costs, any other its expected cost",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.metrics.promised().charged_sum();
     },
     .run_output = RunOutput::kFound},
    {.name = "baseline_cost_sum",
     .kind = MetricKind::kNumber,
     .meaning = "right side of the constraint before α and reserve",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.metrics.promised().baseline_cost_sum();
     },
     .run_output = RunOutput::kFound},
    {.name = "cost_ratio",
     .kind = MetricKind::kNumber,
     .meaning = "what was charged over what the baseline costs",
     .read = [](const MeasuredRun& run) -> MetricValue { return ratio_of(run.metrics.promised()); },
     .in_curves = true,
     .columns = {{{.name = "cost_ratio", .meaning = "charged / baseline, mean of the runs"}}}},
    {.name = "explored",
     .kind = MetricKind::kCount,
     .meaning = "rounds that were not left to the baseline",
     .read = [](const MeasuredRun& run) { return value_of(run.metrics.explored()); },
     .run_output = RunOutput::kFound},
    {.name = "explored_share",
     .kind = MetricKind::kNumber,
     .meaning = "share of the rounds that were not left to the baseline",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return share_of(run.metrics.explored(), run);
     },
     .in_curves = true,
     .columns = {{{.name = "explored_share",
                   .meaning = "rounds that were not left to the baseline, mean of the runs"}}}},
    {.name = "baseline_played",
     .kind = MetricKind::kCount,
     .meaning = "rounds that were left to the baseline",
     .read = [](const MeasuredRun& run) { return value_of(run.metrics.baseline_played()); },
     .run_output = RunOutput::kFound},
    {.name = "baseline_rounds",
     .kind = MetricKind::kNumber,
     .meaning = "rounds that were left to the baseline",
     .read = [](const MeasuredRun& run) { return value_of(run.metrics.baseline_played()); },
     .columns = {{{.name = "baseline_rounds",
                   .meaning = "rounds that were left to the baseline, mean of the runs"}}}},
    {.name = "violated_share",
     .kind = MetricKind::kFlag,
     .meaning = "1 while the constraint is broken, so that the mean is a share of the runs",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.metrics.promised().violated() ? 1.0 : 0.0;
     },
     .in_curves = true},
    {.name = "violated_rounds",
     .kind = MetricKind::kCount,
     .meaning = "rounds after which the constraint was broken",
     .read =
         [](const MeasuredRun& run) { return value_of(run.metrics.promised().violated_rounds()); },
     .run_output = RunOutput::kFound},
    {.name = "violated_rounds_share",
     .kind = MetricKind::kNumber,
     .meaning = "share of the rounds after which the constraint was broken",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return share_of(run.metrics.promised().violated_rounds(), run);
     },
     .columns = {{{.name = "violated_rounds_share",
                   .meaning = "rounds after which the constraint was broken, mean of the runs"}}}},
    {.name = "first_violation",
     .kind = MetricKind::kRoundOrNone,
     .meaning = "the first round after which the constraint was broken",
     .read = [](const MeasuredRun& run) -> MetricValue {
       const auto first = run.metrics.promised().first_violation();
       return first.has_value() ? value_of(*first) : std::nullopt;
     },
     .run_output = RunOutput::kFound,
     .columns = {{{.name = "violating_runs_share",
                   .reduction = Reduction::kRunShare,
                   .meaning = "runs that broke the constraint at any round"},
                  {.name = "violating_runs",
                   .reduction = Reduction::kRunCount,
                   .meaning = "runs that broke the constraint at any round"},
                  {.name = "first_violation",
                   .reduction = Reduction::kLeast,
                   .meaning = "the earliest of all runs"}}}},
    {.name = "largest_excess",
     .kind = MetricKind::kNumber,
     .meaning = "left side of the constraint minus its right side at its worst",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.metrics.promised().largest_excess();
     },
     .run_output = RunOutput::kFound,
     .columns = {{{.name = "largest_excess",
                   .reduction = Reduction::kGreatest,
                   .meaning = "left minus right side of the constraint, the worst of all runs"}}}},
    {.name = "slack",
     .kind = MetricKind::kNumberOrNone,
     .meaning = "what a certified gate certifies; the other gates have none",
     .read = [](const MeasuredRun& run) { return run.slack; },
     .in_curves = true},
    {.name = "min_slack",
     .kind = MetricKind::kNumberOrNone,
     .meaning = "the least slack that a certified gate certified; the other gates have none",
     .read = [](const MeasuredRun& run) { return run.min_slack; },
     .run_output = RunOutput::kFound,
     .columns = {{{.name = "min_slack",
                   .reduction = Reduction::kLeast,
                   .meaning = "the least that a certified gate certified, of all runs"}}}},
    {.name = "hindsight_cost_ratio",
     .kind = MetricKind::kNumber,
     .meaning = "cost_ratio with expected costs on both sides",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return ratio_of(run.metrics.hindsight());
     },
     .columns = {{{.name = "hindsight.cost_ratio", .meaning = "mean of the runs"}}}},
    {.name = "hindsight_violated_rounds_share",
     .kind = MetricKind::kNumber,
     .meaning = "violated_rounds_share with expected costs on both sides",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return share_of(run.metrics.hindsight().violated_rounds(), run);
     },
     .columns = {{{.name = "hindsight.violated_rounds_share", .meaning = "mean of the runs"}}}},
    {.name = "hindsight_violating",
     .kind = MetricKind::kFlag,
     .meaning = "whether the constraint was ever broken with expected costs on both sides",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.metrics.hindsight().first_violation().has_value() ? 1.0 : 0.0;
     },
     .columns = {{{.name = "hindsight.violating_runs_share",
                   .reduction = Reduction::kRunShare,
                   .meaning = "runs that broke the constraint at any round"}}}},
    {.name = "warm_start_rows",
     .kind = MetricKind::kCount,
     .meaning = "logged plays that the policy learned from before round 1",
     .read = [](const MeasuredRun& run) { return value_of(run.warm_start_rows); },
     .run_output = RunOutput::kFound},
    {.name = "given_up",
     .kind = MetricKind::kCount,
     .meaning = "decisions past the bound on pending ones, charged at 1 for good",
     .read = [](const MeasuredRun& run) { return value_of(run.given_up); },
     .run_output = RunOutput::kFound},
    {.name = "seconds",
     .kind = MetricKind::kNumber,
     .meaning = "of deciding and learning, without making rounds or writing them down",
     .read = [](const MeasuredRun& run) -> MetricValue { return run.seconds; },
     .run_output = RunOutput::kTook,
     .columns = {{{.name = "seconds",
                   .reduction = Reduction::kSum,
                   .meaning = "of deciding and learning, of all runs",
                   .file = ResultFile::kTiming}}}},
    {.name = "rounds_per_second",
     .kind = MetricKind::kNumber,
     .meaning = "rounds over those seconds",
     .read = [](const MeasuredRun& run) -> MetricValue {
       return run.seconds > 0.0 ? static_cast<double>(run.rounds_here) / run.seconds : 0.0;
     },
     .run_output = RunOutput::kTook},
});

// The place of a metric in kMetrics. A name that is not there does not compile.
consteval std::size_t metric_index(std::string_view name) {
  std::size_t index = 0;
  while (kMetrics.at(index).name != name) ++index;
  return index;
}

// The places of those that are wanted.
template <bool (*is_wanted)(const Metric&)>
consteval auto metrics_where() {
  constexpr auto kCount = static_cast<std::size_t>(std::ranges::count_if(kMetrics, is_wanted));
  std::array<std::size_t, kCount> found = {};
  std::size_t count = 0;
  for (std::size_t index = 0; index < kMetrics.size(); ++index) {
    if (is_wanted(kMetrics[index])) found[count++] = index;
  }
  return found;
}

// The quantities of curves.csv.
constexpr bool is_in_curves(const Metric& metric) {
  return metric.in_curves;
}
inline constexpr auto kCurveMetrics = metrics_where<&is_in_curves>();

// The part of a run that the journal keeps: the columns of a cell are made of it.
constexpr bool has_columns(const Metric& metric) {
  return !metric.columns.front().name.empty();
}
inline constexpr auto kJournalMetrics = metrics_where<&has_columns>();

// The columns of all metrics, one after the other.
struct CellColumn {
  std::size_t metric = 0;  // its place in kMetrics
  ResultColumn shown;
};
constexpr MetricKind kind_of(const CellColumn& column) {
  switch (column.shown.reduction) {
    case Reduction::kRunCount:
      return MetricKind::kCount;
    case Reduction::kLeast:
    case Reduction::kGreatest:
      return kMetrics[column.metric].kind;
    default:
      return MetricKind::kNumber;
  }
}
consteval std::size_t column_count() {
  std::size_t count = 0;
  for (const Metric& metric : kMetrics) {
    for (const ResultColumn& column : metric.columns) count += column.name.empty() ? 0U : 1U;
  }
  return count;
}
consteval auto all_columns() {
  std::array<CellColumn, column_count()> columns = {};
  std::size_t count = 0;
  for (std::size_t metric = 0; metric < kMetrics.size(); ++metric) {
    for (const ResultColumn& column : kMetrics[metric].columns) {
      if (!column.name.empty()) columns[count++] = {.metric = metric, .shown = column};
    }
  }
  return columns;
}
inline constexpr auto kCellColumns = all_columns();

// The place of a column in kCellColumns. A name that is not there does not compile.
consteval std::size_t column_index(std::string_view name) {
  std::size_t index = 0;
  while (kCellColumns.at(index).shown.name != name) ++index;
  return index;
}

}  // namespace handrail
