#include "handrail/report/html_report.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/report/curves_reader.h"
#include "handrail/report/page.h"
#include "handrail/report/report_json.h"

namespace handrail {
namespace {

// Stands in the page where the report belongs.
constexpr std::string_view kMarker = "\"handrail-report-goes-here\"";
// More than a figure can show, and a third of the length of a double.
constexpr int kDigits = 5;

double rounded(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> buffer;
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::general, kDigits);
  HANDRAIL_ASSERT(code == std::errc{});
  return *to_number({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

void write_rounded(JsonWriter& json, std::string_view name, std::vector<double> values) {
  for (double& value : values) value = rounded(value);
  json.field(name, std::span<const double>(values));
}

// Most curves are about the same rounds, so those are written once and named by their place.
std::string curves_json(const std::vector<Curve>& curves) {
  std::map<std::vector<double>, std::size_t> place_of;
  std::vector<const std::vector<double>*> rounds;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("curves");
  json.begin_array();
  for (const Curve& curve : curves) {
    const auto [found, is_new] = place_of.emplace(curve.rounds, rounds.size());
    if (is_new) rounds.push_back(&found->first);
    json.begin_object();
    json.field("data", curve.cell.data_index);
    json.field("agent", curve.cell.agent_index);
    json.field("alpha", curve.cell.alpha_index);
    json.field("quantity", curve.quantity);
    json.field("rounds", found->second);
    write_rounded(json, "mean", curve.mean);
    write_rounded(json, "stderr", curve.stderr_of_mean);
    write_rounded(json, "q05", curve.q05);
    write_rounded(json, "q95", curve.q95);
    json.end_object();
  }
  json.end_array();
  json.key("rounds");
  json.begin_array();
  for (const std::vector<double>* each : rounds) json.value(std::span<const double>(*each));
  json.end_array();
  json.end_object();
  return text;
}

std::string path_in(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

bool has_report() {
  return !report_page().empty();
}

Result<ComparisonFiles> read_comparison(const std::string& folder) {
  Result<std::string> results = read_file(path_in(folder, "results.json"));
  if (!results.ok()) return results.error();
  Result<std::string> curves = read_file(path_in(folder, "curves.csv"));
  if (!curves.ok()) return curves.error();
  ComparisonFiles files = {folder, std::move(results).value(), std::move(curves).value(), {}};
  const std::string timing_path = path_in(folder, "timing.json");
  std::error_code unknown;
  if (!std::filesystem::exists(timing_path, unknown)) return files;
  Result<std::string> timing = read_file(timing_path);
  if (!timing.ok()) return timing.error();
  files.timing_json = std::move(timing).value();
  return files;
}

Result<std::string> render_report(const ComparisonFiles& files) {
  const std::string_view page = report_page();
  if (page.empty()) {
    return Error{"this build has no report; it was configured with -DHANDRAIL_REPORT=OFF"};
  }
  const Result<ComparisonResults> results =
      read_results({files.results_json, path_in(files.folder, "results.json")});
  if (!results.ok()) return results.error();
  const Result<std::vector<Curve>> curves =
      read_curves({files.curves_csv, path_in(files.folder, "curves.csv")}, results.value());
  if (!curves.ok()) return curves.error();
  std::string timing = "null";
  if (files.timing_json.has_value()) {
    Result<std::string> read =
        read_timing({*files.timing_json, path_in(files.folder, "timing.json")});
    if (!read.ok()) return read.error();
    timing = std::move(read).value();
  }
  const std::size_t place = page.find(kMarker);
  HANDRAIL_ASSERT(place != std::string_view::npos);
  std::string html(page.substr(0, place));
  html += "{\"results\":" + results.value().json + ",\"curves\":" + curves_json(curves.value()) +
          ",\"timing\":" + timing + "}";
  html += page.substr(place + kMarker.size());
  return html;
}

}  // namespace handrail
