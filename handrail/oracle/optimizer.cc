#include "handrail/oracle/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/oracle/dense.h"

namespace handrail {

void sgd_step(double rate, std::span<const double> gradient, std::span<double> parameters) {
  add_scaled(-rate, gradient, parameters);
}

void adagrad_step(AdaGradStep step, std::span<const double> gradient, std::span<double> sums,
                  std::span<double> parameters) {
  HANDRAIL_ASSERT(gradient.size() == sums.size() && gradient.size() == parameters.size());
  const double* const slope = gradient.data();
  double* const sum = sums.data();
  double* const now = parameters.data();
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double g = step.factor * slope[i];
    const double squares = sum[i] + g * g;
    sum[i] = squares;
    now[i] -= step.rate * g / (std::sqrt(squares) + kAdaGradNoDivisionByZero);
  }
}

void adam_step(AdamStep step, std::span<const double> gradient, AdamMoments moments,
               std::span<double> parameters) {
  HANDRAIL_ASSERT(gradient.size() == moments.first.size() && gradient.size() == parameters.size());
  HANDRAIL_ASSERT(gradient.size() == moments.second.size());
  const auto count = static_cast<double>(step.count);
  const double first_correction = 1.0 / (1.0 - std::pow(kAdamFirstDecay, count));
  const double second_correction = 1.0 / (1.0 - std::pow(kAdamSecondDecay, count));
  const double* const slope = gradient.data();
  double* const first = moments.first.data();
  double* const second = moments.second.data();
  double* const now = parameters.data();
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double g = step.factor * slope[i];
    first[i] = kAdamFirstDecay * first[i] + (1.0 - kAdamFirstDecay) * g;
    second[i] = kAdamSecondDecay * second[i] + (1.0 - kAdamSecondDecay) * (g * g);
    const double spread = std::sqrt(second[i] * second_correction) + kAdamNoDivisionByZero;
    now[i] -= step.rate * (first[i] * first_correction) / spread;
  }
}

void rmsprop_step(RmsPropStep step, std::span<const double> gradient, std::span<double> squares,
                  std::span<double> parameters) {
  HANDRAIL_ASSERT(gradient.size() == squares.size() && gradient.size() == parameters.size());
  const double* const slope = gradient.data();
  double* const square = squares.data();
  double* const now = parameters.data();
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double g = step.factor * slope[i];
    square[i] = kRmsPropDecay * square[i] + (1.0 - kRmsPropDecay) * (g * g);
    now[i] -= step.rate * g / std::sqrt(square[i] + kRmsPropNoDivisionByZero);
  }
}

OptimizerState::OptimizerState(Optimizer optimizer, double learning_rate,
                               std::span<const Segment> segments)
    : optimizer_(optimizer),
      learning_rate_(learning_rate),
      segments_(segments.begin(), segments.end()) {
  HANDRAIL_ASSERT(!segments.empty());
  const std::size_t count = segments.back().offset + segments.back().size;
  if (optimizer != Optimizer::kSgd) second_.assign(count, 0.0);
  if (optimizer != Optimizer::kAdam) return;
  first_.assign(count, 0.0);
  step_counts_.assign(segments.size(), 0);
}

void OptimizerState::step(std::size_t segment_index, double factor,
                          std::span<const double> gradient, std::span<double> parameters) {
  const Segment& segment = segments_[segment_index];
  const std::span<const double> slopes = part(gradient, segment);
  const std::span<double> values = part(parameters, segment);
  switch (optimizer_) {
    case Optimizer::kSgd:
      return sgd_step(learning_rate_ * factor, slopes, values);
    case Optimizer::kAdaGrad:
      return adagrad_step({.rate = learning_rate_, .factor = factor}, slopes,
                          part(std::span(second_), segment), values);
    case Optimizer::kAdam:
      const std::uint64_t count = ++step_counts_[segment_index];
      const AdamMoments moments{.first = part(std::span(first_), segment),
                                .second = part(std::span(second_), segment)};
      return adam_step({.rate = learning_rate_, .factor = factor, .count = count}, slopes, moments,
                       values);
  }
}

void OptimizerState::save(ByteWriter& out) const {
  out.doubles(first_);
  out.doubles(second_);
  for (const std::uint64_t count : step_counts_) out.u64(count);
}

void OptimizerState::load(ByteReader& in) {
  in.doubles(first_);
  in.doubles(second_);
  for (std::uint64_t& count : step_counts_) count = in.u64();
}

AdamDescent::AdamDescent(double learning_rate, std::span<double> parameters)
    : parameters_(parameters),
      gradient_(parameters.size()),
      state_(Optimizer::kAdam, learning_rate,
             std::array{Segment{.offset = 0, .size = parameters.size(), .layer = 0}}) {}

std::span<double> AdamDescent::new_gradient() {
  std::ranges::fill(gradient_, 0.0);
  return gradient_;
}

}  // namespace handrail
