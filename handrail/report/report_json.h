// Reads the JSON that others hand to a report: results.json, timing.json and what the page answers.
// Names that appear twice or nowhere, fields of another kind and another version are refused;
// fields that the tables of report/comparison_results.h do not name are left alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/report/comparison_results.h"

namespace handrail {

// Where text comes from, for messages.
struct NamedText {
  std::string_view text;
  std::string place;
};

Result<ComparisonResults> read_results(const NamedText& results);  // of results.json
Result<ComparisonTiming> read_timing(const NamedText& timing);     // of timing.json

// A figure that the page drew: its name, and an SVG file or a PNG file in base64.
struct DrawnFigure {
  std::string name;
  std::string content;
};

// What the page leaves behind when it is asked for its figures.
Result<std::vector<DrawnFigure>> read_figures(const NamedText& answer);

}  // namespace handrail
