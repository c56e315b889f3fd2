// The runs of a comparison, summed up: what its tables and figures show.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/comparison.h"
#include "handrail/eval/metric_table.h"
#include "handrail/eval/reduction.h"
#include "handrail/eval/statistics.h"

namespace handrail {

struct CellSummary {
  Cell cell;
  std::size_t candidate = 0;
  std::array<Reduced, kCellColumns.size()> columns = {};  // in the order of kCellColumns

  // For a column that every cell has: number(column_index("cost_ratio")).
  double number(std::size_t column) const { return columns[column].value.value(); }
};

// Regret of one agent minus that of another, run by run on common random numbers.
struct RegretDifference {
  Cell cell;
  std::size_t against = 0;  // the other agent
  MeanWithError regret;
  std::optional<Interval> interval = std::nullopt;
};

struct CandidateSummary {
  std::size_t candidate = 0;
  MeanWithError regret;
};
struct TuningSummary {
  Cell cell;
  std::size_t chosen = 0;
  std::vector<CandidateSummary> candidates;
};

struct ComparisonSummary {
  std::vector<CellSummary> cells;  // in the order of cells_of()
  std::vector<RegretDifference> differences;
  std::vector<TuningSummary> tunings;  // of agents with several candidates
};

// Needs a journal that holds all runs.
Result<ComparisonSummary> summarise(const ComparisonPlan& plan, const Journal& journal);

// One quantity over the runs of a cell, at one round.
struct CurveSummary {
  double mean = 0.0;
  double standard_error = 0.0;  // NaN for one run
  double q05 = 0.0;
  double q25 = 0.0;
  double q50 = 0.0;
  double q75 = 0.0;
  double q95 = 0.0;
};

// Its numbers by the names that curves.csv has for them. The page has room for some.
struct CurveStatistic {
  std::string_view name;
  double CurveSummary::*number;
  std::string_view meaning;
  bool on_page = false;
};
inline constexpr auto kCurveStatistics = std::to_array<CurveStatistic>({
    {"mean", &CurveSummary::mean, "over the runs", true},
    {"stderr", &CurveSummary::standard_error, "of that mean; empty for one run", true},
    {"q05", &CurveSummary::q05, "5 % of the runs are below", true},
    {"q25", &CurveSummary::q25, "25 %"},
    {"q50", &CurveSummary::q50, "half"},
    {"q75", &CurveSummary::q75, "75 %"},
    {"q95", &CurveSummary::q95, "95 %", true},
});

// In the order of kCurveMetrics; nothing for a quantity that the cell's runs do not have.
using CurveSummaries = std::array<std::optional<CurveSummary>, kCurveMetrics.size()>;
Result<CurveSummaries> summarise_curve(const ComparisonPlan& plan, const Journal& journal,
                                       const CellSummary& cell, std::size_t checkpoint);

}  // namespace handrail
