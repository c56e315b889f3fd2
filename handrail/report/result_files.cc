#include "handrail/report/result_files.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "handrail/base/json.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

void write(JsonWriter& json, bool truth) {
  json.boolean(truth);
}
void write(JsonWriter& json, const std::string& text) {
  json.value(std::string_view(text));
}
void write(JsonWriter& json, const std::vector<double>& numbers) {
  json.value(std::span<const double>(numbers));
}
void write(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) write(json, text);
  json.end_array();
}
template <typename Value>
void write(JsonWriter& json, const Value& value) {
  json.value(value);
}

// The fields of an object that is open already.
template <typename Record, std::size_t count>
void write_fields(JsonWriter& json, const std::array<RecordField<Record>, count>& fields,
                  const Record& record) {
  NestedKeys keys(json);
  for (const RecordField<Record>& field : fields) {
    keys.key(field.name);
    std::visit([&](auto member) { write(json, record.*member); }, field.member);
  }
  keys.end();
}

// Objects of these fields, and of what `write_more` adds to each.
template <typename Record, std::size_t count, typename WriteMore>
void write_list(JsonWriter& json, std::string_view name, const std::vector<Record>& records,
                const std::array<RecordField<Record>, count>& fields, const WriteMore& write_more) {
  json.key(name);
  json.begin_array();
  for (const Record& record : records) {
    json.begin_object();
    write_fields(json, fields, record);
    write_more(record);
    json.end_object();
  }
  json.end_array();
}
template <typename Record, std::size_t count>
void write_list(JsonWriter& json, std::string_view name, const std::vector<Record>& records,
                const std::array<RecordField<Record>, count>& fields) {
  write_list(json, name, records, fields, [](const Record& /*record*/) {});
}

void write_column(JsonWriter& json, const CellColumn& column, const Reduced& reduced) {
  if (column.shown.reduction != Reduction::kMeanWithError) {
    return write_value(json, kind_of(column), reduced.value);
  }
  json.begin_object();
  json.field("mean", reduced.value);
  json.field("stderr", reduced.standard_error);
  json.end_object();
}

void write_columns(JsonWriter& json, const CellRecord& cell) {
  NestedKeys keys(json);
  for (std::size_t i = 0; i < kCellColumns.size(); ++i) {
    if (kCellColumns[i].shown.file != ResultFile::kResults) continue;
    keys.key(kCellColumns[i].shown.name);
    write_column(json, kCellColumns[i], cell.columns[i]);
  }
  keys.end();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Nothing for what is not a number: the standard error of one run.
std::string csv_number(double value) {
  return std::isfinite(value) ? to_text(value) : "";
}

std::string csv_header() {
  std::string text;
  for (const std::string_view key : kCurveKeys) text += std::string(key) + ",";
  for (const CurveStatistic& statistic : kCurveStatistics)
    text += std::string(statistic.name) + ",";
  text.back() = '\n';
  return text;
}

void append_row(std::string& text, const std::string& cell, const Curve& curve, std::size_t i) {
  text += cell + std::to_string(curve.rounds[i]) + ",";
  text += kMetrics[kCurveMetrics[curve.quantity]].name;
  for (const CurveStatistic& statistic : kCurveStatistics) {
    text += "," + csv_number(curve.values[i].*statistic.number);
  }
  text += "\n";
}

// The rows of the curves of one cell: round after round, and in each the quantities in their order.
void append_rows(std::string& text, const std::string& cell, std::span<const Curve> curves) {
  std::vector<const Curve*> ordered;
  for (const Curve& curve : curves) ordered.push_back(&curve);
  std::ranges::sort(ordered, {}, &Curve::quantity);
  std::map<std::uint64_t, std::vector<std::pair<const Curve*, std::size_t>>> by_round;
  for (const Curve* curve : ordered) {
    for (std::size_t i = 0; i < curve->rounds.size(); ++i) {
      by_round[curve->rounds[i]].emplace_back(curve, i);
    }
  }
  for (const auto& [round, values] : by_round) {
    for (const auto& [curve, i] : values) append_row(text, cell, *curve, i);
  }
}

}  // namespace

std::string results_json(const ComparisonResults& results) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_results", kResultsVersion);
  write_fields(json, kComparisonFields, results);
  write_list(json, "environments", results.environments, kEnvironmentFields);
  write_list(json, "agents", results.agents, kAgentFields);
  write_list(json, "results", results.cells, kCellFields,
             [&](const CellRecord& cell) { write_columns(json, cell); });
  write_list(json, "differences", results.differences, kDifferenceFields);
  write_list(json, "tuning", results.tunings, kTuningFields, [&](const TuningRecord& tuning) {
    write_list(json, "candidates", tuning.candidates, kCandidateFields);
  });
  json.end_object();
  return text + "\n";
}

std::string curves_csv(const ComparisonResults& results, std::span<const Curve> curves) {
  std::string text = csv_header();
  for (std::size_t begin = 0; begin < curves.size();) {
    const Cell& cell = curves[begin].cell;
    std::size_t end = begin;
    while (end < curves.size() && curves[end].cell == cell) ++end;
    append_rows(text,
                csv_field(results.environments[cell.environment].data) + "," +
                    csv_field(results.agents[cell.agent].agent) + "," +
                    to_text(results.alphas[cell.alpha]) + ",",
                curves.subspan(begin, end - begin));
    begin = end;
  }
  return text;
}

std::string timing_json(const ComparisonTiming& timing) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("handrail_timing", kTimingVersion);
  write_fields(json, kTimingFields, timing);
  write_list(json, "cells", timing.cells, kTimedCellFields);
  json.end_object();
  return text + "\n";
}

}  // namespace handrail
