#include "handrail/oracle/gradient.h"

#include <algorithm>

#include "handrail/oracle/dense.h"

namespace handrail {

BatchGradient::BatchGradient(const Network& network, std::size_t copy_count)
    : slopes(copy_count, 0.0),
      network_(network),
      values_(network.parameter_count(), 0.0),
      is_touched_(network.segments().size(), false) {}

void BatchGradient::begin() {
  std::ranges::fill(slopes, 0.0);
  squared_output_gradient = 0.0;
  for (const std::size_t i : touched_) is_touched_[i] = false;
  touched_.clear();
  const std::size_t first = network_.first_block();
  for (std::size_t i = 0; i < first; ++i) touch(i);
  for (std::size_t i = first + network_.block_count(); i < is_touched_.size(); ++i) touch(i);
}

void BatchGradient::touch(std::size_t segment_index) {
  if (is_touched_[segment_index]) return;
  is_touched_[segment_index] = true;
  touched_.push_back(segment_index);
  std::ranges::fill(part(std::span(values_), network_.segments()[segment_index]), 0.0);
}

void BatchGradient::add(std::span<const double> coefficients, std::span<const ArmView> arms,
                        std::span<const double> traces) {
  for (const ArmView& arm : arms) touch(network_.first_block() + arm.block);
  network_.add_gradient(coefficients, arms, traces, values_);
}

void BatchGradient::add_pull(double pull, const NetworkWeights& parameters) {
  for (const std::size_t index : touched_) {
    const Segment& segment = network_.segments()[index];
    const double* const now = parameters.values.data() + segment.offset;
    const double* const start = parameters.initial.data() + segment.offset;
    double* const slope = values_.data() + segment.offset;
    const double factor = 2.0 * pull;
    for (std::size_t i = 0; i < segment.size; ++i) slope[i] += factor * (now[i] - start[i]);
  }
}

double BatchGradient::squared_norm() const {
  double sum = 0.0;
  for (const std::size_t index : touched_) {
    const auto values = part(std::span(values_), network_.segments()[index]);
    sum += dot(values, values);
  }
  return sum;
}

}  // namespace handrail
