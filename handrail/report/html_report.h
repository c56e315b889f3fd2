// report.html: the results of a comparison as one file that needs nothing else to be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/report/comparison_results.h"

namespace handrail {

struct Comparison {
  ComparisonResults results;
  std::vector<Curve> curves;
  std::optional<ComparisonTiming> timing;
};

// Reads results.json, curves.csv and, where there is one, timing.json. Refuses files that are cut,
// of another version, or do not belong together.
Result<Comparison> read_comparison(const std::string& folder);

// Whether this build holds the page; without it nothing can be rendered.
bool has_report();

// The text of report.html.
Result<std::string> render_report(const Comparison& comparison);

}  // namespace handrail
