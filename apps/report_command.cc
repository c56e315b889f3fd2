#include <cstdio>
#include <filesystem>

#include "apps/commands.h"
#include "handrail/base/bytes.h"
#include "handrail/report/html_report.h"

namespace handrail {

int report_command(const ReportCommand& command) {
  const Result<ComparisonFiles> files = read_comparison(command.folder);
  if (!files.ok()) return complain(files.error().message);
  const Result<std::string> html = render_report(files.value());
  if (!html.ok()) return complain(html.error().message);
  const std::string& out = command.out_folder.empty() ? command.folder : command.out_folder;
  const std::string path = (std::filesystem::path(out) / "report.html").string();
  const Status written = write_file(path, html.value());
  if (!written.ok()) return complain(written.error().message);
  std::printf("%s\n", path.c_str());
  return kExitYes;
}

}  // namespace handrail
