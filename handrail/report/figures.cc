#include "handrail/report/figures.h"

#include <algorithm>
#include <optional>
#include <set>

#include "handrail/report/browser.h"
#include "handrail/report/report_json.h"

namespace handrail {
namespace {

constexpr std::string_view kOpening = R"(<script id="handrail-figures" type="application/json">)";
constexpr std::string_view kClosing = "</script>";
constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

// Names become files, so none may lead out of its folder or hide.
bool is_file_name(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  constexpr std::size_t kLongest = 200;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

// None if the text is not base64 with its padding (RFC 4648).
std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t pending = 0;
  unsigned bit_count = 0;
  for (const char c : text) {
    const std::size_t value = kLetters.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    pending = (pending << 6) | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes.push_back(static_cast<char>((pending >> bit_count) & 0xFF));
  }
  return bytes;
}

Result<FigureFile> file_of(DrawnFigure figure, FigureFormat format) {
  if (!is_file_name(figure.name)) {
    return Error{"the browser named a figure \"" + figure.name + "\", which no file can be called"};
  }
  if (format == FigureFormat::kSvg) {
    if (!figure.content.starts_with("<svg")) {
      return Error{"the browser gave no SVG for " + figure.name};
    }
    return FigureFile{figure.name + ".svg", std::move(figure.content)};
  }
  std::optional<std::string> bytes = from_base64(figure.content);
  if (!bytes.has_value() || !bytes->starts_with(kPngSignature)) {
    return Error{"the browser gave no PNG for " + figure.name};
  }
  return FigureFile{figure.name + ".png", *std::move(bytes)};
}

}  // namespace

Result<std::vector<FigureFile>> figures_in(std::string_view document, FigureFormat format) {
  const std::size_t opening = document.rfind(kOpening);
  const std::size_t start = opening + kOpening.size();
  const std::size_t end =
      opening == std::string_view::npos ? opening : document.find(kClosing, start);
  if (end == std::string_view::npos) {
    return Error{"the browser opened the report and left no figures behind"};
  }
  Result<std::vector<DrawnFigure>> drawn =
      read_figures({document.substr(start, end - start), "the browser's figures"});
  if (!drawn.ok()) return drawn.error();
  std::vector<FigureFile> files;
  std::set<std::string> names;
  for (DrawnFigure& figure : drawn.value()) {
    Result<FigureFile> file = file_of(std::move(figure), format);
    if (!file.ok()) return file.error();
    if (!names.insert(file.value().name).second) {
      return Error{"the browser named two figures " + file.value().name};
    }
    files.push_back(std::move(file).value());
  }
  return files;
}

Result<std::vector<FigureFile>> draw_figures(std::string_view report_html, FigureFormat format) {
  const Result<std::string> document =
      browse(report_html, format == FigureFormat::kSvg ? "#figures=svg" : "#figures=png");
  if (!document.ok()) return document.error();
  return figures_in(document.value(), format);
}

}  // namespace handrail
