#include "handrail/eval/trace_round.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

#include "handrail/base/assert.h"
#include "handrail/base/json.h"
#include "handrail/eval/run.h"

namespace handrail {
namespace {

// A field of a plain type: the run's value, and the round's that keeps it.
template <typename Value>
struct Plain {
  Value (*of)(const RoundRecord& record);
  Value TraceRound::*in;
};

// A field with a form of its own.
struct Special {
  std::string_view type;
  void (*write)(JsonWriter& json, const RoundRecord& record);
  void (*read)(JsonFields& fields, std::string_view name, TraceRound& round);
};

enum class Presence : std::uint8_t { kAlways, kOfFewArms, kIfAskedFor };

struct FieldRow {
  RoundField field;
  std::string_view name;
  std::variant<Plain<std::uint64_t>, Plain<double>, Plain<std::optional<std::uint64_t>>,
               Plain<std::optional<double>>, Special>
      form;
  std::string_view meaning;
  Presence presence = Presence::kAlways;
};

// The numbers alone where all arms are listed; pairs [arm, number] where only some are.
void write_by_arm(JsonWriter& json, std::span<const double> numbers, Support support) {
  if (support.empty()) return json.value(numbers);
  json.begin_array();
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    json.begin_array();
    json.value(support[place]);
    json.value(numbers[place]);
    json.end_array();
  }
  json.end_array();
}

void write_predicted_costs(JsonWriter& json, const RoundRecord& record) {
  write_by_arm(json, record.workspace.predicted_costs(), record.workspace.support());
}
void read_predicted_costs(JsonFields& fields, std::string_view name, TraceRound& round) {
  round.predicted_costs = fields.numbers_by_arm(name, round.support);
}

void write_distribution(JsonWriter& json, const RoundRecord& record) {
  if (!record.workspace.shows_chances()) return json.null();
  write_by_arm(json, record.workspace.distribution().probabilities(), record.workspace.support());
}
// It must speak of the same arms as the predictions, if there are any.
void read_distribution(JsonFields& fields, std::string_view name, TraceRound& round) {
  std::vector<ArmIndex> arms;
  if (!fields.is_null(name)) round.distribution = fields.numbers_by_arm(name, arms);
  const std::string costs(name_of(RoundField::kPredictedCosts));
  const bool compared = !round.predicted_costs.empty() && !round.distribution.empty();
  if (compared && arms != round.support) {
    fields.complain(std::string(name) + " speaks of other arms than " + costs);
  }
  if (round.predicted_costs.empty()) round.support = std::move(arms);
  if (std::ranges::adjacent_find(round.support, std::greater_equal<>()) != round.support.end()) {
    fields.complain("the arms of " + costs + " do not ascend");
  }
}

void write_choice(JsonWriter& json, const RoundRecord& record) {
  const bool explores = record.decision.choice == Choice::kExplore;
  json.value(std::string_view(explores ? "explore" : "baseline"));
}
void read_choice(JsonFields& fields, std::string_view name, TraceRound& round) {
  const std::string choice = fields.text(name);
  if (choice != "explore" && choice != "baseline") {
    fields.complain(std::string(name) + " is " + shown(choice) +
                    "; explore or baseline was expected");
  }
  round.choice = choice == "explore" ? Choice::kExplore : Choice::kBaseline;
}

void write_features(JsonWriter& json, const RoundRecord& record) {
  json.value(record.decision.features.features);
}

// The shut gate's exposure is infinite, which JSON cannot say; the format has 0 for it.
double shown_exposure(const RoundRecord& record) {
  return std::isinf(record.decision.exposure) ? 0.0 : record.decision.exposure;
}

std::optional<double> known_error(const RoundRecord& record) {
  const Decision& decision = record.decision;
  return decision.propensity.has_value() ? std::optional(decision.propensity_error) : std::nullopt;
}

using Count = Plain<std::uint64_t>;
using Number = Plain<double>;
using CountOrNull = Plain<std::optional<std::uint64_t>>;
using NumberOrNull = Plain<std::optional<double>>;
using Record = RoundRecord;

constexpr auto kRows = std::to_array<FieldRow>({
    {RoundField::kT, "t",
     Count{[](const Record& record) { return record.round.t; }, &TraceRound::t}, "counts from 1"},
    {RoundField::kPredictedCosts, "predicted_costs",
     Special{"list", &write_predicted_costs, &read_predicted_costs},
     "one an arm, in [0, 1]; with relative gaps floored at 10⁻⁶; `[]` if the policy predicts "
     "nothing. Of a sparse policy (many arms) a list of pairs [arm, number] instead: the arms that "
     "the proposal speaks of"},
    {RoundField::kGamma, "gamma",
     NumberOrNull{[](const Record& record) { return record.workspace.gamma(); },
                  &TraceRound::gamma},
     "null without gap weighting"},
    {RoundField::kDistribution, "distribution",
     Special{"list or null", &write_distribution, &read_distribution},
     "what the candidate was drawn from, floors included, in the form of `predicted_costs`; null "
     "where it is one draw of a policy that draws for itself"},
    {RoundField::kCandidate, "candidate",
     Count{[](const Record& record) { return std::uint64_t{record.decision.candidate}; },
           &TraceRound::candidate},
     "the draw; arms count from 0"},
    {RoundField::kExposure, "exposure", Number{&shown_exposure, &TraceRound::exposure},
     "left side of the verdict: what exploring may have cost, this round included. Gate `open` "
     "writes 0; so does `shut`, whose exposure is infinite"},
    {RoundField::kMargin, "margin",
     Number{[](const Record& record) { return record.decision.margin; }, &TraceRound::margin},
     "the confidence part of the exposure"},
    {RoundField::kAllowance, "allowance",
     Number{[](const Record& record) { return record.decision.allowance; }, &TraceRound::allowance},
     "right side of the verdict: what the baseline has earned"},
    {RoundField::kChoice, "choice", Special{"text", &write_choice, &read_choice},
     "`explore` if the draw was admitted, even if it was the baseline's arm (behind `armwise` that "
     "is `baseline`); else `baseline`"},
    {RoundField::kArm, "arm",
     Count{[](const Record& record) { return std::uint64_t{record.decision.arm}; },
           &TraceRound::arm},
     "what was played"},
    {RoundField::kPropensity, "propensity",
     NumberOrNull{[](const Record& record) { return record.decision.propensity; },
                  &TraceRound::propensity},
     "the chance of that, gate included; null where nobody can say"},
    {RoundField::kPropensityError, "propensity_error",
     NumberOrNull{&known_error, &TraceRound::propensity_stderr},
     "the standard error of `propensity`, 0 where that is exact, null where it is",
     Presence::kOfFewArms},
    {RoundField::kCentre, "centre",
     Number{[](const Record& record) { return record.decision.centre; }, &TraceRound::centre},
     "guess of the played arm's cost, fixed before that is drawn: its predicted cost, or without "
     "predictions the mean of the revealed costs of charged rounds, ½ at first"},
    {RoundField::kRegretBound, "regret_bound",
     NumberOrNull{[](const Record& record) { return record.workspace.regret_bound(); },
                  &TraceRound::regret_bound},
     "the Reg that gate `paper` or `model` used, else null"},
    {RoundField::kSlack, "slack",
     NumberOrNull{[](const Record& record) { return record.slack; }, &TraceRound::slack},
     "what a certified gate certifies after this decision and the arrivals that follow it, else "
     "null"},
    {RoundField::kBaselineArm, "baseline.arm",
     Count{[](const Record& record) { return std::uint64_t{record.decision.baseline.arm}; },
           &TraceRound::baseline_arm},
     "as the round said"},
    {RoundField::kBaselineCost, "baseline.cost",
     Number{[](const Record& record) { return record.decision.baseline.cost; },
            &TraceRound::baseline_cost},
     "as the round said"},
    {RoundField::kCost, "cost",
     NumberOrNull{[](const Record& record) { return std::optional(record.outcome.cost); },
                  &TraceRound::cost},
     "the observed cost; null for one that never comes"},
    {RoundField::kArrives, "arrives",
     CountOrNull{[](const Record& record) { return std::optional(record.outcome.arrives); },
                 &TraceRound::arrives},
     "the round after whose decision the cost is known; null for one that never comes"},
    {RoundField::kExpectedCost, "expected_cost",
     Number{[](const Record& record) { return record.expected_cost; }, &TraceRound::expected_cost},
     "of the played arm: the world's knowledge, never the agent's"},
    {RoundField::kBestCost, "best_cost",
     Number{[](const Record& record) { return record.best_cost; }, &TraceRound::best_cost},
     "of the cheapest arm: likewise"},
    {RoundField::kFeatures, "features", Special{"list", &write_features, nullptr},
     "of the played arm", Presence::kIfAskedFor},
});

constexpr bool has_a_row_for_each_field() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].field) != i) return false;
  }
  return static_cast<std::size_t>(RoundField::kFeatures) + 1 == kRows.size();
}
static_assert(has_a_row_for_each_field());

template <typename Value>
void write(JsonWriter& json, const Plain<Value>& plain, const RoundRecord& record) {
  json.value(plain.of(record));
}
void write(JsonWriter& json, const Special& special, const RoundRecord& record) {
  special.write(json, record);
}

void read(JsonFields& fields, std::string_view name, const Count& plain, TraceRound& round) {
  round.*plain.in = fields.count(name);
}
void read(JsonFields& fields, std::string_view name, const Number& plain, TraceRound& round) {
  round.*plain.in = fields.number(name);
}
void read(JsonFields& fields, std::string_view name, const CountOrNull& plain, TraceRound& round) {
  round.*plain.in = fields.count_or_null(name);
}
void read(JsonFields& fields, std::string_view name, const NumberOrNull& plain, TraceRound& round) {
  round.*plain.in = fields.number_or_null(name);
}
void read(JsonFields& fields, std::string_view name, const Special& special, TraceRound& round) {
  special.read(fields, name, round);
}

std::string_view type_of(const FieldRow& row) {
  constexpr auto kPlain =
      std::to_array<std::string_view>({"count", "number", "count or null", "number or null"});
  const auto* special = std::get_if<Special>(&row.form);
  return special != nullptr ? special->type : kPlain.at(row.form.index());
}

std::string meaning_of(const FieldRow& row) {
  std::string_view when;
  if (row.presence == Presence::kOfFewArms) when = "of a sparse policy only: ";
  if (row.presence == Presence::kIfAskedFor) when = "with `--trace-features` only: ";
  return std::string(when) + std::string(row.meaning);
}

bool is_written(const FieldRow& row, const RoundRecord& record, const TraceOptions& options) {
  switch (row.presence) {
    case Presence::kAlways:
      return true;
    case Presence::kOfFewArms:
      return !record.workspace.support().empty();
    case Presence::kIfAskedFor:
      return options.features;
  }
  HANDRAIL_ASSERT(false);
}

// Nothing that reads a trace back has a use for fields that may be asked for.
bool is_read(const FieldRow& row, const TraceRound& round) {
  return row.presence == Presence::kAlways ||
         (row.presence == Presence::kOfFewArms && !round.support.empty());
}

}  // namespace

std::string_view name_of(RoundField field) {
  return kRows[static_cast<std::size_t>(field)].name;
}

std::vector<RoundFieldText> round_field_texts() {
  std::vector<RoundFieldText> texts;
  for (const FieldRow& row : kRows) {
    texts.push_back({.name = row.name, .type = type_of(row), .meaning = meaning_of(row)});
  }
  return texts;
}

std::string trace_line(const RoundRecord& record, const TraceOptions& options) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  NestedKeys keys(json);
  for (const FieldRow& row : kRows) {
    if (!is_written(row, record, options)) continue;
    keys.key(row.name);
    std::visit([&](const auto& form) { write(json, form, record); }, row.form);
  }
  keys.end();
  json.end_object();
  return text;
}

TraceRound read_round(JsonFields& fields) {
  TraceRound round;
  for (const FieldRow& row : kRows) {
    if (!is_read(row, round)) continue;
    const auto [object, name] = nested_name(row.name);
    const std::string_view inner_name = name;
    if (object.empty()) {
      std::visit([&](const auto& form) { read(fields, inner_name, form, round); }, row.form);
      continue;
    }
    JsonFields inner(fields.object(object));
    std::visit([&](const auto& form) { read(inner, inner_name, form, round); }, row.form);
    if (inner.complaint().empty()) continue;
    fields.complain(std::string(object) + ": " + inner.complaint());
  }
  return round;
}

}  // namespace handrail
