// The JSON that the page holds: ASCII without "<", so that it may stand inside an HTML file.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "handrail/report/comparison_results.h"

namespace handrail {

std::string page_json(const ComparisonResults& results, std::span<const Curve> curves,
                      const std::optional<ComparisonTiming>& timing);

}  // namespace handrail
