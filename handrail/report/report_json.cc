#include "handrail/report/report_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/eval/json_fields.h"
#include "handrail/report/json_checker.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

// Results are four levels deep. Text that is nested without end is none, and a parser need not keep
// it all.
constexpr int kDeepest = 16;

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

Result<Json> parse_object(const NamedText& source) {
  bool is_too_deep = false;
  const auto limit = [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
    is_too_deep = is_too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  try {
    Json parsed = Json::parse(source.text, limit);
    if (is_too_deep) {
      return Error{source.place + ": nested more than " + std::to_string(kDeepest) +
                   " levels deep"};
    }
    if (!parsed.is_object()) return Error{source.place + ": a JSON object was expected"};
    return parsed;
  } catch (const Json::parse_error& error) {
    return Error{source.place + ":" + line_and_column(source.text, error.byte) +
                 ": not a whole JSON object; was it cut?"};
  } catch (const Json::out_of_range&) {
    return Error{source.place + ": a number is too large for any double"};
  }
}

Status check_version(const Json& object, const char* name, std::uint64_t format,
                     const std::string& place) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) {
    return Error{place + ": no number " + name + ", so this is another kind of file"};
  }
  if (*found != format) {
    return Error{place + ": format " + shown(*found) + "; this program reads format " +
                 std::to_string(format)};
  }
  return {};
}

template <typename Record, std::size_t count>
void read_fields(JsonChecker& checker, const Json& object, const std::string& path,
                 const std::array<RecordField<Record>, count>& fields, Record& record) {
  for (const RecordField<Record>& field : fields) {
    const auto [group, name] = nested_name(field.name);
    const Json* from = group.empty() ? &object : checker.object_or_null(object, path, group);
    if (from == nullptr) continue;
    const std::string place = group.empty() ? path : path + std::string(group) + ".";
    const std::string_view inner = name;
    std::visit([&](auto member) { checker.get(*from, place, inner, record.*member); },
               field.member);
  }
}

// The objects of a list that have names of their own.
template <typename Record, std::size_t count>
std::vector<Record> read_named(JsonChecker& checker, const Json& object, const char* list,
                               const std::array<RecordField<Record>, count>& fields,
                               std::string Record::*name) {
  std::vector<Record> records;
  checker.each(object, "", list, [&](const Json& item, const std::string& path) {
    Record record;
    read_fields(checker, item, path, fields, record);
    if (std::ranges::find(records, record.*name, name) != records.end()) {
      checker.complain(path + std::string(fields.front().name) + " is " + shown(record.*name) +
                       " for the second time");
    }
    records.push_back(std::move(record));
  });
  if (records.empty()) checker.complain(std::string(list) + " is empty");
  return records;
}

void read_mean(JsonChecker& checker, const Json& item, const std::string& path,
               std::string_view name, Reduced& mean) {
  const Json* object = checker.object_or_null(item, path, name);
  if (object == nullptr) return;
  const std::string place = path + std::string(name) + ".";
  MetricValue standard_error;
  checker.get(*object, place, "mean", mean.value);
  checker.get(*object, place, "stderr", standard_error);
  mean.standard_error = standard_error.value_or(mean.standard_error);
}

void read_column(JsonChecker& checker, const Json& item, const std::string& path,
                 const CellColumn& column, Reduced& reduced) {
  if (column.shown.reduction == Reduction::kMeanWithError) {
    return read_mean(checker, item, path, column.shown.name, reduced);
  }
  const auto [group, name] = nested_name(column.shown.name);
  const Json* from = group.empty() ? &item : checker.object_or_null(item, path, group);
  if (from == nullptr) return;
  const std::string place = group.empty() ? path : path + std::string(group) + ".";
  if (!counts(kind_of(column))) return checker.get(*from, place, name, reduced.value);
  std::optional<std::uint64_t> count;
  checker.get(*from, place, name, count);
  if (count.has_value()) reduced.value = static_cast<double>(*count);
}

void read_cells(JsonChecker& checker, const Json& object, ComparisonResults& results) {
  std::set<Cell> seen;
  checker.each(object, "", "results", [&](const Json& item, const std::string& path) {
    CellRecord cell;
    read_fields(checker, item, path, kCellFields, cell);
    cell.place = {
        .environment = checker.index_of(results.environments, cell.data, path + "data",
                                        &EnvironmentRecord::data),
        .agent = checker.index_of(results.agents, cell.agent, path + "agent", &AgentRecord::agent),
        .alpha = checker.index_of(results.alphas, cell.alpha, path + "alpha")};
    if (!seen.insert(cell.place).second) {
      checker.complain(path + "data, agent and alpha are those of a result before it");
    }
    for (std::size_t i = 0; i < kCellColumns.size(); ++i) {
      if (kCellColumns[i].shown.file != ResultFile::kResults) continue;
      read_column(checker, item, path, kCellColumns[i], cell.columns[i]);
    }
    results.cells.push_back(std::move(cell));
  });
  if (results.cells.empty()) checker.complain("results is empty");
}

void read_comparisons(JsonChecker& checker, const Json& object, ComparisonResults& results) {
  checker.each(object, "", "differences", [&](const Json& item, const std::string& path) {
    read_fields(checker, item, path, kDifferenceFields, results.differences.emplace_back());
  });
  checker.each(object, "", "tuning", [&](const Json& item, const std::string& path) {
    TuningRecord& tuning = results.tunings.emplace_back();
    read_fields(checker, item, path, kTuningFields, tuning);
    if (!item.contains("candidates")) return;
    checker.each(item, path, "candidates", [&](const Json& candidate, const std::string& place) {
      read_fields(checker, candidate, place, kCandidateFields, tuning.candidates.emplace_back());
    });
  });
}

}  // namespace

Result<ComparisonResults> read_results(const NamedText& results) {
  const Result<Json> parsed = parse_object(results);
  if (!parsed.ok()) return parsed.error();
  const Json& object = parsed.value();
  const Status version = check_version(object, "handrail_results", kResultsVersion, results.place);
  if (!version.ok()) return version.error();
  JsonChecker checker(results.place);
  ComparisonResults found;
  read_fields(checker, object, "", kComparisonFields, found);
  found.environments =
      read_named(checker, object, "environments", kEnvironmentFields, &EnvironmentRecord::data);
  found.agents = read_named(checker, object, "agents", kAgentFields, &AgentRecord::agent);
  read_cells(checker, object, found);
  read_comparisons(checker, object, found);
  if (!checker.status().ok()) return checker.status().error();
  return found;
}

Result<ComparisonTiming> read_timing(const NamedText& timing) {
  const Result<Json> parsed = parse_object(timing);
  if (!parsed.ok()) return parsed.error();
  const Json& object = parsed.value();
  const Status version = check_version(object, "handrail_timing", kTimingVersion, timing.place);
  if (!version.ok()) return version.error();
  JsonChecker checker(timing.place);
  ComparisonTiming found;
  read_fields(checker, object, "", kTimingFields, found);
  checker.each(object, "", "cells", [&](const Json& item, const std::string& path) {
    read_fields(checker, item, path, kTimedCellFields, found.cells.emplace_back());
  });
  if (!checker.status().ok()) return checker.status().error();
  return found;
}

Result<std::vector<DrawnFigure>> read_figures(const NamedText& answer) {
  const Result<Json> parsed = parse_object(answer);
  if (!parsed.ok()) return parsed.error();
  if (parsed.value().contains("error")) {
    return Error{answer.place + ": " + shown(parsed.value().at("error"))};
  }
  JsonChecker checker(answer.place);
  std::vector<DrawnFigure> figures;
  checker.each(parsed.value(), "", "figures", [&](const Json& item, const std::string& path) {
    DrawnFigure& figure = figures.emplace_back();
    checker.get(item, path, "name", figure.name);
    checker.get(item, path, "content", figure.content);
  });
  if (!checker.status().ok()) return checker.status().error();
  return figures;
}

}  // namespace handrail
