#include "handrail/oracle/dense.h"

#include "handrail/base/assert.h"
#include "handrail/base/lane_sum.h"

namespace handrail {

void dense_forward(const DenseGroup& group, std::span<const double> weights) {
  const std::size_t count = group.output_count;
  HANDRAIL_ASSERT(weights.size() == group.input_count * count && group.count <= kGroupLimit);
  for (std::size_t i = 0; i < group.input_count; ++i) {
    const double* const row = weights.data() + i * count;
    for (std::size_t b = 0; b < group.count; ++b) {
      const double input = group.inputs[b][i];
      if (input == 0.0) continue;
      double* const out = group.outputs[b];
      for (std::size_t j = 0; j < count; ++j) out[j] += input * row[j];
    }
  }
}

void dense_backward_inputs(const DenseGroup& group, std::span<const double> weights) {
  const std::size_t count = group.input_count;
  HANDRAIL_ASSERT(weights.size() == group.output_count * count && group.count <= kGroupLimit);
  for (std::size_t i = 0; i < group.output_count; ++i) {
    const std::span<const double> row = weights.subspan(i * count, count);
    for (std::size_t b = 0; b < group.count; ++b) {
      group.outputs[b][i] = dot(row, {group.inputs[b], count});
    }
  }
}

void dense_backward_weights(std::span<const GradientTerm> terms, std::span<double> gradient) {
  HANDRAIL_ASSERT(!terms.empty());
  const std::size_t input_count = terms.front().inputs.size();
  const std::size_t count = terms.front().slopes.size();
  HANDRAIL_ASSERT(gradient.size() == input_count * count);
  for (std::size_t i = 0; i < input_count; ++i) {
    double* const row = gradient.data() + i * count;
    for (const GradientTerm& term : terms) {
      const double factor = term.coefficient * term.inputs[i];
      if (factor == 0.0) continue;
      const double* const slopes = term.slopes.data();
      for (std::size_t j = 0; j < count; ++j) row[j] += factor * slopes[j];
    }
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
