#include <cstdio>
#include <filesystem>

#include "apps/commands.h"
#include "handrail/base/bytes.h"
#include "handrail/report/figures.h"
#include "handrail/report/html_report.h"

namespace handrail {
namespace {

std::string path_in(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

Status make_folder(const std::string& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return Error{folder + ": cannot create: " + code.message()};
  return {};
}

Result<std::vector<FigureFile>> wanted_figures(const ReportCommand& command,
                                               const std::string& html) {
  std::vector<FigureFile> figures;
  for (const auto& [is_wanted, format] :
       {std::pair(command.svg, FigureFormat::kSvg), std::pair(command.png, FigureFormat::kPng)}) {
    if (!is_wanted) continue;
    Result<std::vector<FigureFile>> drawn = draw_figures(html, format);
    if (!drawn.ok()) return drawn.error();
    for (FigureFile& figure : drawn.value()) figures.push_back(std::move(figure));
  }
  return figures;
}

Status write_figures(const std::string& folder, const std::vector<FigureFile>& figures) {
  if (figures.empty()) return {};
  Status done = make_folder(folder);
  for (const FigureFile& figure : figures) {
    if (!done.ok()) return done;
    done = write_file(path_in(folder, figure.name), figure.bytes);
  }
  return done;
}

}  // namespace

int report_command(const ReportCommand& command) {
  const Result<Comparison> comparison = read_comparison(command.folder);
  if (!comparison.ok()) return complain(comparison.error().message);
  const Result<std::string> html = render_report(comparison.value());
  if (!html.ok()) return complain(html.error().message);
  // Everything that can fail for want of a browser comes before the first file is written.
  const Result<std::vector<FigureFile>> figures = wanted_figures(command, html.value());
  if (!figures.ok()) return complain(figures.error().message);
  const std::string& out = command.out_folder.empty() ? command.folder : command.out_folder;
  Status done = make_folder(out);
  if (!done.ok()) return complain(done.error().message);
  done = write_figures(path_in(out, "figures"), figures.value());
  if (!done.ok()) return complain(done.error().message);
  const std::string report_path = path_in(out, "report.html");
  done = write_file(report_path, html.value());
  if (!done.ok()) return complain(done.error().message);
  std::printf("%s\n", report_path.c_str());
  for (const FigureFile& figure : figures.value()) {
    std::printf("%s\n", path_in(path_in(out, "figures"), figure.name).c_str());
  }
  return kExitYes;
}

}  // namespace handrail
