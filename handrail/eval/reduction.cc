#include "handrail/eval/reduction.h"

#include <algorithm>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/eval/statistics.h"

namespace handrail {
namespace {

std::vector<double> numbers_of(std::span<const MetricValue> values) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const MetricValue& value : values) {
    HANDRAIL_ASSERT(value.has_value());
    numbers.push_back(*value);
  }
  return numbers;
}

double sum_of(std::span<const MetricValue> values) {
  double sum = 0.0;
  for (const double number : numbers_of(values)) sum += number;
  return sum;
}

Reduced mean_with_error(std::span<const MetricValue> values) {
  const MeanWithError mean = mean_of(numbers_of(values));
  return {.value = mean.mean, .standard_error = mean.standard_error};
}

// The best of two values, of which any beats none.
template <typename Better>
MetricValue best_of(std::span<const MetricValue> values, const Better& better) {
  MetricValue best;
  for (const MetricValue& value : values) {
    if (value.has_value() && (!best.has_value() || better(*value, *best))) best = value;
  }
  return best;
}

double runs_with(std::span<const MetricValue> values) {
  return static_cast<double>(std::ranges::count_if(
      values, [](const MetricValue& value) { return value.value_or(0.0) != 0.0; }));
}

}  // namespace

Reduced reduce(Reduction reduction, std::span<const MetricValue> values) {
  HANDRAIL_ASSERT(!values.empty());
  const auto runs = static_cast<double>(values.size());
  switch (reduction) {
    case Reduction::kMean:
      return {.value = sum_of(values) / runs};
    case Reduction::kMeanWithError:
      return mean_with_error(values);
    case Reduction::kSum:
      return {.value = sum_of(values)};
    case Reduction::kLeast:
      return {.value = best_of(values, std::less<>())};
    case Reduction::kGreatest:
      return {.value = best_of(values, std::greater<>())};
    case Reduction::kRunCount:
      return {.value = runs_with(values)};
    case Reduction::kRunShare:
      return {.value = runs_with(values) / runs};
  }
  HANDRAIL_ASSERT(false);
}

}  // namespace handrail
