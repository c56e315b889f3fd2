// The files and the table that a comparison leaves. docs/results.md says what is in them.
#pragma once

#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/comparison.h"
#include "handrail/eval/summary.h"

namespace handrail {

struct ResultsInput {
  const ComparisonPlan& plan;
  const std::vector<EnvironmentFacts>& facts;
  const ComparisonSummary& summary;
  std::string command;  // as it was typed
};

// The same bytes for the same comparison, however it was run: no timings, no threads.
std::string results_json(const ResultsInput& input);

// data,agent,alpha,t,quantity,mean,stderr,q05,q25,q50,q75,q95
Result<std::string> curves_csv(const ResultsInput& input, const Journal& journal);

struct Timing {
  std::size_t threads = 1;
  double seconds = 0.0;  // of this process
};
std::string timing_json(const ResultsInput& input, const Timing& timing);

// For a person. `bold` marks the least regret among the agents that broke the constraint in at most
// a share delta of their runs, or if all did, among all.
std::string results_table(const ResultsInput& input, bool bold);

}  // namespace handrail
