#include "handrail/oracle/dense.h"

#include "handrail/base/assert.h"
#include "handrail/oracle/lane_sum.h"

namespace handrail {

void dense_forward(std::span<const double> inputs, std::span<const double> weights,
                   std::span<double> outputs) {
  HANDRAIL_ASSERT(weights.size() == inputs.size() * outputs.size());
  const std::size_t count = outputs.size();
  double* const out = outputs.data();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double input = inputs[i];
    if (input == 0.0) continue;
    const double* const row = weights.data() + i * count;
    for (std::size_t j = 0; j < count; ++j) out[j] += input * row[j];
  }
}

void dense_backward_inputs(std::span<const double> weights, std::span<const double> output_slopes,
                           std::span<double> input_slopes) {
  const std::size_t count = output_slopes.size();
  HANDRAIL_ASSERT(weights.size() == input_slopes.size() * count);
  for (std::size_t i = 0; i < input_slopes.size(); ++i) {
    input_slopes[i] = dot(weights.subspan(i * count, count), output_slopes);
  }
}

void dense_backward_weights(double coefficient, std::span<const double> inputs,
                            std::span<const double> output_slopes, std::span<double> gradient) {
  HANDRAIL_ASSERT(gradient.size() == inputs.size() * output_slopes.size());
  const std::size_t count = output_slopes.size();
  const double* const slopes = output_slopes.data();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double factor = coefficient * inputs[i];
    if (factor == 0.0) continue;
    double* const row = gradient.data() + i * count;
    for (std::size_t j = 0; j < count; ++j) row[j] += factor * slopes[j];
  }
}

double dot(std::span<const double> a, std::span<const double> b) {
  HANDRAIL_ASSERT(a.size() == b.size());
  const double* const p = a.data();
  const double* const q = b.data();
  return lane_sum(a.size(), [p, q](std::size_t i) { return p[i] * q[i]; });
}

void add_scaled(double factor, std::span<const double> b, std::span<double> a) {
  HANDRAIL_ASSERT(a.size() == b.size());
  const double* const source = b.data();
  double* const target = a.data();
  for (std::size_t i = 0; i < a.size(); ++i) target[i] += factor * source[i];
}

}  // namespace handrail
