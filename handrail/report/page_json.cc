#include "handrail/report/page_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "handrail/base/assert.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

// More than a figure can show, and a third of the length of a double.
constexpr int kDigits = 5;

// A number as the page has it: whole where its shortest text is.
Json json_of(double number) {
  if (!std::isfinite(number)) return nullptr;
  const std::string text = to_text(number);
  const bool negative = text.starts_with('-');
  const std::optional<std::uint64_t> whole = to_count(std::string_view(text).substr(negative));
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!whole.has_value() || (negative && *whole > kLargest)) return number;
  if (negative) return -static_cast<std::int64_t>(*whole);
  return *whole;
}
Json json_of(const std::string& text) {
  return text;
}
Json json_of(bool truth) {
  return truth;
}
Json json_of(std::uint64_t count) {
  return count;
}
template <typename Value>
Json json_of(const std::optional<Value>& value) {
  return value.has_value() ? json_of(*value) : Json(nullptr);
}
template <typename Value>
Json json_of(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(json_of(value));
  return list;
}

Json& field_of(Json& object, std::string_view name) {
  const auto [group, field] = nested_name(name);
  return group.empty() ? object[std::string(field)]
                       : object[std::string(group)][std::string(field)];
}

template <typename Record, std::size_t count>
Json object_of(const std::array<RecordField<Record>, count>& fields, const Record& record) {
  Json object = Json::object();
  for (const RecordField<Record>& field : fields) {
    Json& place = field_of(object, field.name);
    std::visit([&](auto member) { place = json_of(record.*member); }, field.member);
  }
  return object;
}

template <typename Record, std::size_t count>
Json objects_of(const std::array<RecordField<Record>, count>& fields,
                const std::vector<Record>& records) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(object_of(fields, record));
  return list;
}

Json cell_of(const CellRecord& cell) {
  Json object = object_of(kCellFields, cell);
  for (std::size_t i = 0; i < kCellColumns.size(); ++i) {
    const ResultColumn& column = kCellColumns[i].shown;
    if (column.file != ResultFile::kResults) continue;
    const auto& [value, standard_error] = cell.columns[i];
    field_of(object, column.name) =
        column.reduction == Reduction::kMeanWithError
            ? Json{{"mean", json_of(value)}, {"stderr", json_of(standard_error)}}
        : counts(kind_of(kCellColumns[i])) && value.has_value()
            ? Json(static_cast<std::uint64_t>(*value))
            : json_of(value);
  }
  return object;
}

Json results_of(const ComparisonResults& results) {
  Json object = object_of(kComparisonFields, results);
  object["handrail_results"] = kResultsVersion;
  object["environments"] = objects_of(kEnvironmentFields, results.environments);
  object["agents"] = objects_of(kAgentFields, results.agents);
  object["results"] = Json::array();
  for (const CellRecord& cell : results.cells) object["results"].push_back(cell_of(cell));
  object["differences"] = objects_of(kDifferenceFields, results.differences);
  object["tuning"] = Json::array();
  for (const TuningRecord& tuning : results.tunings) {
    Json tuned = object_of(kTuningFields, tuning);
    tuned["candidates"] = objects_of(kCandidateFields, tuning.candidates);
    object["tuning"].push_back(std::move(tuned));
  }
  return object;
}

Json timing_of(const ComparisonTiming& timing) {
  Json object = object_of(kTimingFields, timing);
  object["handrail_timing"] = kTimingVersion;
  object["cells"] = objects_of(kTimedCellFields, timing.cells);
  return object;
}

std::string for_html(const Json& value) {
  // A name that is no text in UTF-8 shows the sign for that; the page must be text.
  const std::string plain =
      value.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(plain.size());
  // Only a string can hold it, and there \u003c is the same sign.
  for (const char c : plain) {
    if (c == '<') {
      escaped.append("\\u003c");
    } else {
      escaped.push_back(c);
    }
  }
  return escaped;
}

double rounded(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> buffer;
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::general, kDigits);
  HANDRAIL_ASSERT(code == std::errc{});
  return *to_number({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

// Most curves are about the same rounds, so those are written once and named by their place.
std::string curves_of(std::span<const Curve> curves) {
  std::map<std::vector<std::uint64_t>, std::size_t> place_of;
  std::vector<const std::vector<std::uint64_t>*> rounds;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("curves");
  json.begin_array();
  for (const Curve& curve : curves) {
    const auto [found, is_new] = place_of.emplace(curve.rounds, rounds.size());
    if (is_new) rounds.push_back(&found->first);
    json.begin_object();
    json.field("data", curve.cell.environment);
    json.field("agent", curve.cell.agent);
    json.field("alpha", curve.cell.alpha);
    json.field("quantity", kMetrics[kCurveMetrics[curve.quantity]].name);
    json.field("rounds", found->second);
    for (const CurveStatistic& statistic : kCurveStatistics) {
      if (!statistic.on_page) continue;
      json.key(statistic.name);
      json.begin_array();
      for (const CurveSummary& value : curve.values) json.value(rounded(value.*statistic.number));
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
  json.key("rounds");
  json.begin_array();
  for (const std::vector<std::uint64_t>* each : rounds) {
    json.begin_array();
    // As numbers: 1e+05 is shorter than 100000.
    for (const std::uint64_t round : *each) json.value(static_cast<double>(round));
    json.end_array();
  }
  json.end_array();
  json.end_object();
  return text;
}

}  // namespace

std::string page_json(const ComparisonResults& results, std::span<const Curve> curves,
                      const std::optional<ComparisonTiming>& timing) {
  return "{\"results\":" + for_html(results_of(results)) + ",\"curves\":" + curves_of(curves) +
         ",\"timing\":" + (timing.has_value() ? for_html(timing_of(*timing)) : "null") + "}";
}

}  // namespace handrail
