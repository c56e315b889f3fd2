// The runs of a comparison, summed up: what its tables and figures show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/comparison.h"
#include "handrail/eval/statistics.h"

namespace handrail {

struct CellSummary {
  Cell cell;
  std::size_t candidate = 0;
  MeanWithError regret;
  double cost_ratio = 0.0;
  double explored_share = 0.0;
  double baseline_rounds = 0.0;
  double violated_rounds_share = 0.0;
  std::uint64_t violating_runs = 0;
  std::optional<std::uint64_t> first_violation = std::nullopt;  // the earliest of all runs
  double largest_excess = 0.0;                                  // of all runs
  std::optional<double> min_slack = std::nullopt;               // of all runs
  double hindsight_cost_ratio = 0.0;
  double hindsight_violated_rounds_share = 0.0;
  std::uint64_t hindsight_violating_runs = 0;
  double seconds = 0.0;  // of all runs
};

// Regret of one agent minus that of another, run by run on common random numbers.
struct Difference {
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
  std::vector<Difference> differences;
  std::vector<TuningSummary> tunings;  // of agents with several candidates
};

// Needs a journal that holds all runs.
Result<ComparisonSummary> summarise(const ComparisonPlan& plan, const Journal& journal);

// One quantity of CurvePoint over the runs of a cell, at one round.
struct CurveSummary {
  MeanWithError value;
  double q05 = 0.0;
  double q25 = 0.0;
  double q50 = 0.0;
  double q75 = 0.0;
  double q95 = 0.0;
};

// In the order of kCurveNames; nothing for a quantity that the cell's runs do not have.
using CurveSummaries = std::array<std::optional<CurveSummary>, kCurveQuantities>;
Result<CurveSummaries> summarise_curve(const ComparisonPlan& plan, const Journal& journal,
                                       const CellSummary& cell, std::size_t checkpoint);

}  // namespace handrail
