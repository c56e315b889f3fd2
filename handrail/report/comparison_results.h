// The results of a comparison as values: its files are written from them and read into
// them, and the page is made of them. Each table says which fields a record has in results.json and
// timing.json; those of a cell's metrics are kCellColumns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "handrail/eval/summary.h"
#include "handrail/report/record_field.h"

namespace handrail {

struct EnvironmentRecord {
  std::string data;
  std::optional<std::string> kind;
  std::optional<std::string> spec;
  std::optional<std::uint64_t> checksum;
  std::optional<std::uint64_t> arms;
  std::optional<std::uint64_t> features;
  std::optional<std::uint64_t> rows;
  std::optional<std::uint64_t> passes;
  std::optional<std::string> baseline;
  std::optional<std::string> baseline_arm;
  std::optional<double> baseline_share;
  std::optional<std::string> baseline_known;
  std::optional<double> baseline_cost;
  std::optional<std::string> noise;
  std::vector<std::string> notes;
};
inline constexpr auto kEnvironmentFields = std::to_array<RecordField<EnvironmentRecord>>({
    {"data", &EnvironmentRecord::data, "the SPEC as given"},
    {"kind", &EnvironmentRecord::kind, "`data` or `world`"},
    {"spec", &EnvironmentRecord::spec, "the SPEC with everything spelled out"},
    {"checksum", &EnvironmentRecord::checksum, "of the cells"},
    {"arms", &EnvironmentRecord::arms, "K"},
    {"features", &EnvironmentRecord::features, "of an arm"},
    {"rows", &EnvironmentRecord::rows, "of a data set"},
    {"passes", &EnvironmentRecord::passes, "how often the rounds go through the rows"},
    {"baseline", &EnvironmentRecord::baseline, "the policy that is the baseline"},
    {"baseline_arm", &EnvironmentRecord::baseline_arm, "the arm that it always plays, if it does"},
    {"baseline_share", &EnvironmentRecord::baseline_share, "rows in which no arm is cheaper"},
    {"baseline_known", &EnvironmentRecord::baseline_known,
     "what the agents are told of its cost: `per_round`, `mean`, `floor` or `unknown`"},
    {"baseline_cost", &EnvironmentRecord::baseline_cost, "its mean cost"},
    {"noise", &EnvironmentRecord::noise, "of the costs"},
    {"notes", &EnvironmentRecord::notes, "what else a reader should know"},
});

struct AgentRecord {
  std::string agent;
  std::optional<std::string> spec;
  std::optional<std::string> gate;
  bool conservative = false;
  std::optional<std::string> control;
};
inline constexpr auto kAgentFields = std::to_array<RecordField<AgentRecord>>({
    {"agent", &AgentRecord::agent, "the SPEC as given"},
    {"spec", &AgentRecord::spec, "the SPEC with everything spelled out"},
    {"gate", &AgentRecord::gate, "its kind"},
    {"conservative", &AgentRecord::conservative, "whether that gate promises anything"},
    {"control", &AgentRecord::control, "the same agent without its gate, if it is compared too"},
});

// A cell, and its place in the lists of the results.
struct CellRecord {
  std::string data;
  std::string agent;
  double alpha = 0.0;
  std::optional<std::string> chosen;
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> rounds;
  std::array<Reduced, kCellColumns.size()> columns = {};  // those of results.json
  Cell place;
};
inline constexpr auto kCellFields = std::to_array<RecordField<CellRecord>>({
    {"data", &CellRecord::data, "the environment, as `environments` has it"},
    {"agent", &CellRecord::agent, "the agent, as `agents` has it"},
    {"alpha", &CellRecord::alpha, "one of `alphas`"},
    {"chosen", &CellRecord::chosen, "of a grid the SPEC that was chosen, else null"},
    {"runs", &CellRecord::runs, "of the cell"},
    {"rounds", &CellRecord::rounds, "of each run"},
});

struct DifferenceRecord {
  std::string data;
  std::string agent;
  double alpha = 0.0;
  std::string against;
  std::optional<double> mean;
  std::optional<double> low;
  std::optional<double> high;
};
inline constexpr auto kDifferenceFields = std::to_array<RecordField<DifferenceRecord>>({
    {"data", &DifferenceRecord::data, "the cell"},
    {"agent", &DifferenceRecord::agent, "the cell"},
    {"alpha", &DifferenceRecord::alpha, "the cell"},
    {"against", &DifferenceRecord::against, "the other agent"},
    {"regret.mean", &DifferenceRecord::mean,
     "regret of `agent` minus that of `against`, run by run"},
    {"regret.low", &DifferenceRecord::low, "paired 95 % t interval; null for one run"},
    {"regret.high", &DifferenceRecord::high, "likewise"},
});

struct CandidateRecord {
  std::string agent;
  std::optional<double> mean;
  std::optional<double> standard_error;
  bool chosen = false;
};
inline constexpr auto kCandidateFields = std::to_array<RecordField<CandidateRecord>>({
    {"agent", &CandidateRecord::agent, "the SPEC"},
    {"regret.mean", &CandidateRecord::mean, "over the runs that choose"},
    {"regret.stderr", &CandidateRecord::standard_error, "of that mean; null for one run"},
    {"chosen", &CandidateRecord::chosen, "whether it was"},
});

struct TuningRecord {
  std::string data;
  std::string agent;
  double alpha = 0.0;
  std::optional<std::uint64_t> runs;
  std::vector<CandidateRecord> candidates;
};
inline constexpr auto kTuningFields = std::to_array<RecordField<TuningRecord>>({
    {"data", &TuningRecord::data, "the cell"},
    {"agent", &TuningRecord::agent, "the cell"},
    {"alpha", &TuningRecord::alpha, "the cell"},
    {"runs", &TuningRecord::runs, "that chose"},
});

struct ComparisonResults {
  std::string version;
  std::string command;
  std::optional<std::string> title;
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> rounds;
  std::optional<std::uint64_t> seed;
  std::optional<double> delta;
  std::optional<double> reserve;
  std::vector<double> alphas;
  std::vector<EnvironmentRecord> environments;
  std::vector<AgentRecord> agents;
  std::vector<CellRecord> cells;
  std::vector<DifferenceRecord> differences;
  std::vector<TuningRecord> tunings;
};
inline constexpr auto kComparisonFields = std::to_array<RecordField<ComparisonResults>>({
    {"version", &ComparisonResults::version, "of the program"},
    {"command", &ComparisonResults::command, "as it was typed"},
    {"title", &ComparisonResults::title, "as it was given, or null"},
    {"runs", &ComparisonResults::runs, "of a cell"},
    {"rounds", &ComparisonResults::rounds, "of a run"},
    {"seed", &ComparisonResults::seed, "of the first run; each later one adds 1"},
    {"delta", &ComparisonResults::delta, "δ"},
    {"reserve", &ComparisonResults::reserve, "part of the constraint's right side"},
    {"alphas", &ComparisonResults::alphas, "every α"},
});

// timing.json: what differs from one computer to the next.
struct TimedCellRecord {
  std::string data;
  std::string agent;
  double alpha = 0.0;
  std::optional<double> seconds;
  std::optional<double> rounds_per_second;
};
inline constexpr auto kTimedCellFields = std::to_array<RecordField<TimedCellRecord>>({
    {"data", &TimedCellRecord::data, "the cell"},
    {"agent", &TimedCellRecord::agent, "the cell"},
    {"alpha", &TimedCellRecord::alpha, "the cell"},
    {"seconds", &TimedCellRecord::seconds, "of deciding and learning, of all its runs"},
    {"rounds_per_second", &TimedCellRecord::rounds_per_second, "of those"},
});

struct ComparisonTiming {
  std::optional<std::uint64_t> threads;
  std::optional<double> seconds;
  std::vector<TimedCellRecord> cells;
};
inline constexpr auto kTimingFields = std::to_array<RecordField<ComparisonTiming>>({
    {"threads", &ComparisonTiming::threads, "of the process that finished the comparison"},
    {"seconds", &ComparisonTiming::seconds, "of that process"},
});

inline constexpr std::uint64_t kResultsVersion = 1;
inline constexpr std::uint64_t kTimingVersion = 1;

// One quantity of one cell over the rounds.
struct Curve {
  Cell cell;
  std::size_t quantity = 0;  // place in kCurveMetrics
  std::vector<std::uint64_t> rounds;
  std::vector<CurveSummary> values;  // at those; NaN for a number that is not known
};

}  // namespace handrail
