// The JSON that a report is made from, checked. What the page reads has the shape that it expects
// once it has passed here; names that appear twice or nowhere, and another version, are refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

// Where text comes from, for messages.
struct NamedText {
  std::string_view text;
  std::string place;
};

// One agent on one data set at one alpha, by place in the lists of ComparisonResults.
struct ComparisonCell {
  std::size_t data_index;
  std::size_t agent_index;
  std::size_t alpha_index;
};

struct ComparisonResults {
  std::vector<std::string> data;
  std::vector<std::string> agents;
  std::vector<double> alphas;
  std::vector<ComparisonCell> cells;
  // The same results again: ASCII without "<", so they may stand inside an HTML file.
  std::string json;
};

Result<ComparisonResults> read_results(const NamedText& results);

// The text of timing.json, made fit for HTML in the same way.
Result<std::string> read_timing(const NamedText& timing);

// A figure that the page drew: its name, and an SVG file or a PNG file in base64.
struct DrawnFigure {
  std::string name;
  std::string content;
};

// What the page leaves behind when it is asked for its figures.
Result<std::vector<DrawnFigure>> read_figures(const NamedText& answer);

}  // namespace handrail
