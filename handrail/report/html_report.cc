#include "handrail/report/html_report.h"

#include <filesystem>

#include "handrail/base/assert.h"
#include "handrail/base/bytes.h"
#include "handrail/report/curves_reader.h"
#include "handrail/report/page.h"
#include "handrail/report/page_json.h"
#include "handrail/report/report_json.h"

namespace handrail {
namespace {

// Stands in the page where the report belongs.
constexpr std::string_view kMarker = "\"handrail-report-goes-here\"";
std::string path_in(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

bool has_report() {
  return !report_page().empty();
}

Result<Comparison> read_comparison(const std::string& folder) {
  const std::string results_path = path_in(folder, "results.json");
  const Result<std::string> results_text = read_file(results_path);
  if (!results_text.ok()) return results_text.error();
  const std::string curves_path = path_in(folder, "curves.csv");
  const Result<std::string> curves_text = read_file(curves_path);
  if (!curves_text.ok()) return curves_text.error();
  Result<ComparisonResults> results = read_results({results_text.value(), results_path});
  if (!results.ok()) return results.error();
  Result<std::vector<Curve>> curves =
      read_curves({curves_text.value(), curves_path}, results.value());
  if (!curves.ok()) return curves.error();
  Comparison comparison = {.results = std::move(results).value(),
                           .curves = std::move(curves).value(),
                           .timing = std::nullopt};
  const std::string timing_path = path_in(folder, "timing.json");
  std::error_code unknown;
  if (!std::filesystem::exists(timing_path, unknown)) return comparison;
  const Result<std::string> timing_text = read_file(timing_path);
  if (!timing_text.ok()) return timing_text.error();
  Result<ComparisonTiming> timing = read_timing({timing_text.value(), timing_path});
  if (!timing.ok()) return timing.error();
  comparison.timing = std::move(timing).value();
  return comparison;
}

Result<std::string> render_report(const Comparison& comparison) {
  const std::string_view page = report_page();
  if (page.empty()) {
    return Error{"this build has no report; it was configured with -DHANDRAIL_REPORT=OFF"};
  }
  const std::size_t place = page.find(kMarker);
  HANDRAIL_ASSERT(place != std::string_view::npos);
  std::string html(page.substr(0, place));
  html += page_json(comparison.results, comparison.curves, comparison.timing);
  html += page.substr(place + kMarker.size());
  return html;
}

}  // namespace handrail
