// The results of a comparison: as values, and as a table for a terminal.
#pragma once

#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/comparison.h"
#include "handrail/eval/summary.h"
#include "handrail/report/comparison_results.h"

namespace handrail {

struct ResultsInput {
  const ComparisonPlan& plan;
  const std::vector<EnvironmentFacts>& facts;
  const ComparisonSummary& summary;
  std::string command;  // as it was typed
};

ComparisonResults results_of(const ResultsInput& input);
Result<std::vector<Curve>> curves_of(const ResultsInput& input, const Journal& journal);

struct Timing {
  std::size_t threads = 1;
  double seconds = 0.0;  // of this process
};
ComparisonTiming timing_of(const ResultsInput& input, const Timing& timing);

// For a person. `bold` marks the least regret among the agents that broke the constraint in at most
// a share delta of their runs, or if all did, among all.
std::string results_table(const ResultsInput& input, bool bold);

}  // namespace handrail
