// One number out of a metric's values over the runs of a cell.
#pragma once

#include <limits>
#include <span>

#include "handrail/eval/metric.h"

namespace handrail {

struct Reduced {
  MetricValue value = std::nullopt;
  // Set for a mean that comes with one; NaN for one run.
  double standard_error = std::numeric_limits<double>::quiet_NaN();
};

// Needs at least one run. Only kLeast, kGreatest, kRunCount and kRunShare take runs without a
// value.
Reduced reduce(Reduction reduction, std::span<const MetricValue> values);

}  // namespace handrail
