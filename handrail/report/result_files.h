// The files that a comparison leaves. docs/reference/results.md says what is in them.
#pragma once

#include <span>
#include <string>

#include "handrail/report/comparison_results.h"

namespace handrail {

// The same bytes for the same comparison, however it was run: no timings, no threads.
std::string results_json(const ComparisonResults& results);

// The names of the columns that come before those of kCurveStatistics.
inline constexpr auto kCurveKeys =
    std::to_array<std::string_view>({"data", "agent", "alpha", "t", "quantity"});

// The curves of a cell stand together, a row for each round and quantity.
std::string curves_csv(const ComparisonResults& results, std::span<const Curve> curves);

std::string timing_json(const ComparisonTiming& timing);

}  // namespace handrail
