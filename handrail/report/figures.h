// The figures of a report as files of their own, for a paper.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

enum class FigureFormat : std::uint8_t { kSvg = 0, kPng = 1 };

struct FigureFile {
  std::string name;  // "shuttle-regret.svg"
  std::string bytes;
};

// Every figure of the page `report_html`, drawn by a browser. The names are lower-case letters,
// digits, dots and hyphens, and no two are the same.
Result<std::vector<FigureFile>> draw_figures(std::string_view report_html, FigureFormat format);

// What the document that a browser made holds: the part of draw_figures() behind the browser.
Result<std::vector<FigureFile>> figures_in(std::string_view document, FigureFormat format);

}  // namespace handrail
