// A round of a trace: a line of JSON, whose fields are the rows of one table. It is written from
// what a run knows of the round, and read back as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/core/decision.h"
#include "handrail/eval/json_fields.h"

namespace handrail {

struct RoundRecord;

struct TraceRound {
  std::uint64_t t = 0;
  // The arms that the next two lists speak of, where those are pairs [arm, number]: ascending.
  // Empty where they are numbers, one an arm.
  std::vector<ArmIndex> support;
  std::vector<double> predicted_costs;
  std::optional<double> gamma;
  std::vector<double> distribution;  // empty: it was null, nobody knows the chances
  std::uint64_t candidate = 0;
  double exposure = 0.0;
  double margin = 0.0;
  double allowance = 0.0;
  Choice choice = Choice::kBaseline;
  std::uint64_t arm = 0;
  std::optional<double> propensity;         // none: nobody knows it
  std::optional<double> propensity_stderr;  // only where there is a support
  double centre = 0.0;
  std::optional<double> regret_bound;
  std::optional<double> slack;
  std::uint64_t baseline_arm = 0;
  double baseline_cost = 0.0;
  std::optional<double> cost;  // none: it never comes
  std::optional<std::uint64_t> arrives;
  double expected_cost = 0.0;
  double best_cost = 0.0;
};

// In the order of a line.
enum class RoundField : std::uint8_t {
  kT,
  kPredictedCosts,
  kGamma,
  kDistribution,
  kCandidate,
  kExposure,
  kMargin,
  kAllowance,
  kChoice,
  kArm,
  kPropensity,
  kPropensityError,
  kCentre,
  kRegretBound,
  kSlack,
  kBaselineArm,
  kBaselineCost,
  kCost,
  kArrives,
  kExpectedCost,
  kBestCost,
  kFeatures,
};

// "gamma"; of a field of an object "baseline.arm".
std::string_view name_of(RoundField field);

// The line of a reference about a field.
struct RoundFieldText {
  std::string_view name;
  std::string_view type;
  std::string meaning;
};
std::vector<RoundFieldText> round_field_texts();

struct TraceOptions {
  bool features = false;  // add the played arm's features to each round
};

// The line of the round that was played last.
std::string trace_line(const RoundRecord& record, const TraceOptions& options);
// Complains to `fields` of what is missing or makes no sense.
TraceRound read_round(JsonFields& fields);

}  // namespace handrail
