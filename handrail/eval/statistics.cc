#include "handrail/eval/statistics.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

constexpr double kCoverage = 0.95;

// P(|T| ≤ t) for whole degrees of freedom ν, by the finite sums of Abramowitz and Stegun 26.7.3 and
// 26.7.4, with θ = arctan(t/√ν).
double student_coverage(double t, std::uint64_t degrees) {
  const double theta = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double square = std::cos(theta) * std::cos(theta);
  const bool odd = degrees % 2 == 1;
  double term = odd ? std::cos(theta) : 1.0;
  double sum = 0.0;
  for (std::uint64_t k = odd ? 1 : 0; k + 2 <= degrees; k += 2) {
    sum += term;
    const auto step = static_cast<double>(k);
    term *= square * (step + 1.0) / (step + 2.0);
  }
  if (!odd) return std::sin(theta) * sum;
  return 2.0 / std::numbers::pi * (theta + std::sin(theta) * sum);
}

}  // namespace

MeanWithError mean_of(std::span<const double> values) {
  HANDRAIL_ASSERT(!values.empty());
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return {mean, std::numeric_limits<double>::quiet_NaN()};
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1.0) / count)};
}

double quantile(std::span<const double> sorted, double q) {
  HANDRAIL_ASSERT(!sorted.empty() && q >= 0.0 && q <= 1.0);
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted[below];
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

std::optional<Interval> mean_interval(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const MeanWithError found = mean_of(values);
  const double reach = student_quantile(kCoverage, values.size() - 1) * found.standard_error;
  return Interval{found.mean - reach, found.mean + reach};
}

double student_quantile(double coverage, std::uint64_t degrees) {
  HANDRAIL_ASSERT(coverage > 0.0 && coverage < 1.0 && degrees > 0);
  double low = 0.0;
  double high = 1.0;
  while (student_coverage(high, degrees) < coverage) high *= 2.0;
  for (;;) {  // until the doubles between them are used up
    const double middle = std::midpoint(low, high);
    if (middle <= low || middle >= high) return high;
    (student_coverage(middle, degrees) < coverage ? low : high) = middle;
  }
}

}  // namespace handrail
