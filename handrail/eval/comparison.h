// Plays a comparison: all its runs, over all cores, into a journal.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/comparison_plan.h"
#include "handrail/eval/environment_facts.h"
#include "handrail/eval/journal.h"
#include "handrail/eval/played_run.h"

namespace handrail {

// Reads every data set and makes every agent once, so that what cannot be played is refused before
// anything is. One entry an environment.
Result<std::vector<EnvironmentFacts>> inspect(const ComparisonPlan& plan, EnvironmentShelf& shelf);

// All that the results of a comparison depend on but the number of runs, in lines.
std::string identity_of(const ComparisonPlan& plan, const std::vector<EnvironmentFacts>& facts);

// The runs of a comparison that its journal must hold in the end, and those of them that it holds.
std::uint64_t total_runs(const ComparisonPlan& plan);
std::uint64_t wanted_runs(const ComparisonPlan& plan, const Journal& journal);

// Told now and then how far things are, by the thread that called play_all().
class ComparisonObserver {
 public:
  ComparisonObserver() = default;
  virtual ~ComparisonObserver() = default;
  ComparisonObserver(const ComparisonObserver&) = delete;
  ComparisonObserver& operator=(const ComparisonObserver&) = delete;
  virtual void look(std::uint64_t rounds_played) = 0;
};

struct PlayOptions {
  std::size_t threads = 1;
  RunMonitor& monitor;
  ComparisonObserver& observer;
  std::span<const EnvironmentFacts> facts;  // what inspect() found
};

// Plays what the journal lacks. Ok also if the monitor stopped it: then runs are missing still.
Status play_all(const ComparisonPlan& plan, EnvironmentShelf& shelf, Journal& journal,
                const PlayOptions& options);

// The regret of each tuning run of a cell, one list a candidate; none where there is nothing to
// choose.
using TuningRegrets = std::vector<std::vector<double>>;
Result<TuningRegrets> tuning_regrets(const ComparisonPlan& plan, const Journal& journal,
                                     const Cell& cell);

// The candidate with the least mean regret, the first of equals; 0 where there is one only.
std::size_t chosen_candidate(const TuningRegrets& regrets);

}  // namespace handrail
