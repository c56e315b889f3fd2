// Writes what the page's sources must know of the table of metrics, as TypeScript. The build runs
// it; it is no part of the program and links nothing of it, since the program holds the page.
//
// Usage: metric_names FILE
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/eval/metric_table.h"

namespace {

using handrail::CellColumn;
using handrail::kCellColumns;

// "cost_ratio" as TypeScript would say it: costRatio.
std::string camel_case(std::string_view name) {
  std::string text;
  bool is_start = false;
  for (const char c : name) {
    if (c == '_') {
      is_start = true;
      continue;
    }
    text += is_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_start = false;
  }
  return text;
}

std::string upper_case(std::string_view name) {
  std::string text;
  for (const char c : name) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

bool is_estimate(const CellColumn& column) {
  return column.shown.reduction == handrail::Reduction::kMeanWithError;
}

bool is_in_results(const CellColumn& column) {
  return column.shown.file == handrail::ResultFile::kResults;
}

// The objects that some columns of a cell share; the first, without a name, is the cell itself.
std::vector<std::string_view> objects() {
  std::vector<std::string_view> names = {""};
  for (const CellColumn& column : kCellColumns) {
    const std::string_view object = handrail::nested_name(column.shown.name).object;
    const bool is_new = std::find(names.begin(), names.end(), object) == names.end();
    if (is_in_results(column) && is_new) names.push_back(object);
  }
  return names;
}

// A constant that says what results.json calls the columns that the page has other names for.
template <typename IsWanted>
std::string names_of(const std::string& constant, const IsWanted& is_wanted) {
  std::string text = "\nexport const " + constant + " = {\n";
  for (const CellColumn& column : kCellColumns) {
    if (!is_in_results(column) || !is_wanted(column)) continue;
    const std::string_view field = handrail::nested_name(column.shown.name).field;
    text += "  /** " + std::string(column.shown.meaning) + " */\n  " + camel_case(field) + ": \"" +
            std::string(field) + "\",\n";
  }
  return text + "} as const;\n";
}

std::string quantities() {
  std::string text = "\nexport const QUANTITIES = [\n";
  for (const std::size_t metric : handrail::kCurveMetrics) {
    text += "  \"" + std::string(handrail::kMetrics[metric].name) + "\",\n";
  }
  return text + "] as const;\n";
}

std::string module_text() {
  std::string text =
      "// What the program calls its metrics, by the page's own names. Written by the build from\n"
      "// handrail/eval/metric_table.h: change that.\n";
  text += names_of("CELL_ESTIMATES", is_estimate);
  for (const std::string_view object : objects()) {
    const std::string constant = (object.empty() ? "CELL" : upper_case(object)) + "_NUMBERS";
    text += names_of(constant, [&](const CellColumn& column) {
      return !is_estimate(column) && handrail::nested_name(column.shown.name).object == object;
    });
  }
  return text + quantities();
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", words[0]);
    return 2;
  }
  std::ofstream file(words[1]);
  file << module_text() << std::flush;
  if (file) return 0;
  std::fprintf(stderr, "%s: cannot be written\n", words[1]);
  return 1;
}
