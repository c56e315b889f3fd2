// A row of the table of metrics (eval/metric_table.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "handrail/base/bytes.h"
#include "handrail/base/json.h"
#include "handrail/eval/metrics.h"

namespace handrail {

// All that a metric may be read off: a run after its last round so far.
struct MeasuredRun {
  const Metrics& metrics;
  std::optional<double> slack = std::nullopt;
  std::optional<double> min_slack = std::nullopt;
  std::uint64_t warm_start_rows = 0;
  std::uint64_t given_up = 0;
  std::uint64_t rounds_here = 0;  // played by this process; a resumed run has more behind it
  double seconds = 0.0;           // that those took
};

// None where a run has no such number. A double holds every count up to 2^53, and no run plays as
// many rounds.
using MetricValue = std::optional<double>;

// The kind of a value, which decides how it is written as JSON and in the journal.
enum class MetricKind : std::uint8_t {
  kNumber,
  kNumberOrNone,
  kCount,
  kRoundOrNone,  // counts from 1
  kFlag,         // 0 or 1
};

// How a metric's values over the runs of a cell become one number.
enum class Reduction : std::uint8_t {
  kMean,
  kMeanWithError,
  kSum,
  kLeast,     // of the runs that have a value; none if no run has
  kGreatest,  // likewise
  kRunCount,  // runs that have a value other than 0
  kRunShare,  // the same as a share of all runs
};

enum class ResultFile : std::uint8_t { kResults, kTiming };

// How a cell of a comparison shows a metric. Columns that share the part of their names before
// a dot share an object.
struct ResultColumn {
  std::string_view name = {};  // empty: there is no such column
  Reduction reduction = Reduction::kMean;
  std::string_view meaning = {};
  ResultFile file = ResultFile::kResults;
};

// Whether `run --json` shows a metric: among what the run found, or at the end, as what it took.
enum class RunOutput : std::uint8_t { kNone, kFound, kTook };

struct Metric {
  std::string_view name;
  MetricKind kind;
  std::string_view meaning;
  MetricValue (*read)(const MeasuredRun& run);
  RunOutput run_output = RunOutput::kNone;
  bool in_curves = false;                    // a quantity of curves.csv, read as the run goes on
  std::array<ResultColumn, 3> columns = {};  // in results.json
};

constexpr bool counts(MetricKind kind) {
  return kind == MetricKind::kCount || kind == MetricKind::kRoundOrNone;
}

// As JSON: a count without a point, null for none.
void write_value(JsonWriter& json, MetricKind kind, const MetricValue& value);

// As bytes of a journal, as many for every value of a kind.
std::size_t size_of(MetricKind kind);
void write_value(ByteWriter& out, MetricKind kind, const MetricValue& value);
MetricValue read_value(ByteReader& in, MetricKind kind);

}  // namespace handrail
