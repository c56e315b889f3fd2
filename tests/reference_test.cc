// The tables of docs/reference against those in the code. HANDRAIL_REGENERATE=1 writes them anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "handrail/eval/trace_round.h"
#include "handrail/report/comparison_results.h"

namespace handrail {
namespace {

std::string type_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::kNumber:
      return "number";
    case MetricKind::kNumberOrNone:
      return "number or null";
    case MetricKind::kCount:
      return "count";
    case MetricKind::kRoundOrNone:
      return "round or null";
    case MetricKind::kFlag:
      return "0 or 1";
  }
  return {};
}

template <typename Record>
std::string type_of(const RecordField<Record>& field) {
  constexpr auto kTypes = std::to_array<const char*>(
      {"text", "number", "list of numbers", "text or null", "number or null", "count or null",
       "true or false", "list of texts"});
  static_assert(kTypes.size() == std::variant_size_v<typename RecordField<Record>::Member>);
  return kTypes.at(field.member.index());
}

std::string row(std::string_view name, std::string_view type, std::string_view meaning) {
  std::string text = "| `" + std::string(name) + "` | ";
  if (!type.empty()) text += std::string(type) + " | ";
  return text + std::string(meaning) + " |\n";
}

const std::string kHead = "| field | type | meaning |\n|---|---|---|\n";

template <typename Record, std::size_t count>
std::string rows_of(const std::array<RecordField<Record>, count>& fields) {
  std::string text;
  for (const RecordField<Record>& field : fields) {
    text += row(field.name, type_of(field), field.meaning);
  }
  return text;
}

std::string run_rows() {
  std::string text;
  for (const Metric& metric : kMetrics) {
    if (metric.run_output == RunOutput::kNone) continue;
    text += row(metric.name, type_of(metric.kind), metric.meaning);
  }
  return text;
}

std::string column_rows() {
  std::string text;
  for (const CellColumn& column : kCellColumns) {
    if (column.shown.file != ResultFile::kResults) continue;
    const std::string name(column.shown.name);
    const std::string meaning(column.shown.meaning);
    if (column.shown.reduction == Reduction::kMeanWithError) {
      text += row(name + ".mean", "number", meaning);
      text += row(name + ".stderr", "number or null", "of that mean; null for one run");
    } else {
      text += row(name, type_of(kind_of(column)), meaning);
    }
  }
  return text;
}

std::string round_rows() {
  std::string text;
  for (const RoundFieldText& field : round_field_texts()) {
    text += row(field.name, field.type, field.meaning);
  }
  return text;
}

const std::string kShortHead = "| name | meaning |\n|---|---|\n";

std::string statistic_rows() {
  std::string text;
  for (const CurveStatistic& each : kCurveStatistics) text += row(each.name, "", each.meaning);
  return text;
}

std::string quantity_rows() {
  std::string text;
  for (const std::size_t metric : kCurveMetrics) {
    text += row(kMetrics[metric].name, "", kMetrics[metric].meaning);
  }
  return text;
}

// `page` with what stands between the marks of a table replaced.
std::string with_table(const std::string& page, const std::string& name, const std::string& table) {
  const std::string mark = "<!-- table: " + name + " -->\n";
  const std::size_t begin = page.find(mark);
  EXPECT_NE(begin, std::string::npos) << "no place for table " << name;
  if (begin == std::string::npos) return page;
  const std::size_t end = page.find("<!-- end of table -->", begin);
  EXPECT_NE(end, std::string::npos) << "table " << name << " has no end";
  if (end == std::string::npos) return page;
  return page.substr(0, begin + mark.size()) + table + page.substr(end);
}

struct Table {
  const char* name;
  std::string text;
};

void expect_tables(const std::string& file, const std::vector<Table>& tables) {
  const std::string path = std::string(HANDRAIL_REFERENCE) + file;
  std::ostringstream was;
  was << std::ifstream(path).rdbuf();
  std::string is = was.str();
  for (const Table& table : tables) is = with_table(is, table.name, table.text);
  if (std::getenv("HANDRAIL_REGENERATE") != nullptr) {
    ASSERT_TRUE(std::ofstream(path) << is << std::flush) << path;
    return;
  }
  EXPECT_EQ(is, was.str()) << path << " is not what the code says; HANDRAIL_REGENERATE=1 mends it";
}

TEST(Reference, TheTraceIsDescribedByItsTable) {
  expect_tables("trace.md", {{"round", kHead + round_rows()}});
}

TEST(Reference, TheResultsAreDescribedByTheirTables) {
  expect_tables("results.md", {{"run", kHead + run_rows()},
                               {"comparison", kHead + rows_of(kComparisonFields)},
                               {"environments", kHead + rows_of(kEnvironmentFields)},
                               {"agents", kHead + rows_of(kAgentFields)},
                               {"cells", kHead + rows_of(kCellFields) + column_rows()},
                               {"differences", kHead + rows_of(kDifferenceFields)},
                               {"tuning", kHead + rows_of(kTuningFields)},
                               {"candidates", kHead + rows_of(kCandidateFields)},
                               {"statistics", kShortHead + statistic_rows()},
                               {"quantities", kShortHead + quantity_rows()},
                               {"timing", kHead + rows_of(kTimingFields)},
                               {"timed-cells", kHead + rows_of(kTimedCellFields)}});
}

}  // namespace
}  // namespace handrail
