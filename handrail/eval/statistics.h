// Means, spreads and intervals over the runs of a comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace handrail {

struct MeanWithError {
  double mean = 0.0;
  double standard_error = 0.0;  // NaN for one value
};
MeanWithError mean_of(std::span<const double> values);  // at least one

// The q-quantile of sorted values, linear between neighbours; at least one value.
double quantile(std::span<const double> sorted, double q);

// 95 % of the time in repeated experiments such an interval covers the true mean, if values are
// independent and near normal.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};
std::optional<Interval> mean_interval(std::span<const double> values);  // none for one value

// The t with P(|T| ≤ t) = coverage, T of Student's distribution with `degrees` ≥ 1 degrees of
// freedom.
double student_quantile(double coverage, std::uint64_t degrees);

}  // namespace handrail
