// report.html: the results of a comparison as one file that needs nothing else to be read.
#pragma once

#include <optional>
#include <string>

#include "handrail/base/result.h"

namespace handrail {

// The contents of the files that `handrail compare` writes into a folder. The folder itself is only
// named in messages.
struct ComparisonFiles {
  std::string folder;
  std::string results_json;
  std::string curves_csv;
  std::optional<std::string> timing_json;
};

// Whether this build holds the page; without it nothing can be rendered.
bool has_report();

// Reads results.json, curves.csv and, where there is one, timing.json.
Result<ComparisonFiles> read_comparison(const std::string& folder);

// The text of report.html. Refuses files that are cut, of another version, or do not belong
// together.
Result<std::string> render_report(const ComparisonFiles& files);

}  // namespace handrail
