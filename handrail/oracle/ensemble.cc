#include "handrail/oracle/ensemble.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/oracle/activation.h"
#include "handrail/oracle/dense.h"
#include "handrail/oracle/lane_sum.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

// ⟨Δ, direction⟩ within one segment.
double along_displacement(const Parameters& parameters, const Segment& segment,
                          std::span<const double> direction) {
  const double* const now = parameters.values.data() + segment.offset;
  const double* const start = parameters.initial.data() + segment.offset;
  const double* const to = direction.data();
  return lane_sum(segment.size, [=](std::size_t i) { return (now[i] - start[i]) * to[i]; });
}

}  // namespace

double predicted_cost(Loss loss, double output, std::span<const double> shifts) {
  const double edge = loss == Loss::kLog ? kLogLossEdge : 0.0;
  double sum = 0.0;
  for (const double shift : shifts) {
    const double z = output + shift;
    if (!std::isfinite(z)) return 1.0 - edge;
    sum += loss == Loss::kLog ? sigmoid(z) : z;
  }
  return std::clamp(sum / static_cast<double>(shifts.size()), edge, 1.0 - edge);
}

double ensemble_loss(Loss loss, double output, double cost, std::span<const double> shifts) {
  double sum = 0.0;
  for (const double shift : shifts) sum += loss_at(loss, output + shift, cost);
  return sum / static_cast<double>(shifts.size());
}

double add_slopes(Loss loss, const Target& target, std::span<const double> shifts,
                  std::span<double> slopes) {
  HANDRAIL_ASSERT(shifts.size() == slopes.size());
  double sum = 0.0;
  for (std::size_t s = 0; s < shifts.size(); ++s) {
    const double slope = target.weight * loss_slope(loss, target.output + shifts[s], target.cost);
    slopes[s] += slope;
    sum += slope;
  }
  return sum / static_cast<double>(shifts.size());
}

Ensemble::Ensemble(SignTable signs, double kappa, std::span<const Segment> segments)
    : signs_(std::move(signs)),
      kappa_(kappa),
      segments_(segments.begin(), segments.end()),
      layer_count_(segments.back().layer + 1),
      gram_(layer_count_ * copy_count() * copy_count(), 0.0),
      sign_sums_(layer_count_ * copy_count(), 0.0),
      squared_distances_(layer_count_, 0.0),
      shifts_(copy_count(), 0.0),
      along_displacement_(layer_count_, 0.0),
      squared_norms_(layer_count_, 0.0),
      along_signs_(layer_count_ * copy_count(), 0.0),
      coefficients_(copy_count(), 0.0) {
  make_gram();
}

void Ensemble::make_gram() {
  const std::size_t count = copy_count();
  for (const Segment& segment : segments_) {
    double* const gram = gram_.data() + segment.layer * count * count;
    for (std::size_t one = 0; one < count; ++one) {
      for (std::size_t other = 0; other < count; ++other) {
        gram[one * count + other] += signs_.inner_product(one, other, segment);
      }
    }
  }
}

double Ensemble::gram(std::size_t layer, std::size_t one, std::size_t other) const {
  return gram_[(layer * copy_count() + one) * copy_count() + other];
}

double Ensemble::measure(const GradientView& gradient, const Parameters& parameters) {
  HANDRAIL_ASSERT(gradient.slopes.size() == copy_count());
  std::ranges::fill(along_displacement_, 0.0);
  std::ranges::fill(squared_norms_, 0.0);
  std::ranges::fill(along_signs_, 0.0);
  for (const std::size_t index : gradient.touched) {
    const Segment& segment = segments_[index];
    const auto values = part(gradient.values, segment);
    along_displacement_[segment.layer] += along_displacement(parameters, segment, values);
    squared_norms_[segment.layer] += dot(values, values);
    for (std::size_t s = 0; s < copy_count(); ++s) {
      along_signs_[segment.layer * copy_count() + s] += signs_.dot(s, segment, values);
    }
  }
  add_dense_term(gradient);
  return std::accumulate(squared_norms_.begin(), squared_norms_.end(), 0.0);
}

// Turns the three measures of G into those of D = G + k Σ_s g_s ε_s, k = κ/S.
void Ensemble::add_dense_term(const GradientView& gradient) {
  const double k = kappa_ / static_cast<double>(copy_count());
  for (std::size_t l = 0; l < layer_count_; ++l) {
    for (std::size_t s = 0; s < copy_count(); ++s) {
      const double coefficient = k * gradient.slopes[s];
      const double sparse = along_signs_[l * copy_count() + s];
      double dense = 0.0;
      for (std::size_t other = 0; other < copy_count(); ++other) {
        dense += k * gradient.slopes[other] * gram(l, other, s);
      }
      along_displacement_[l] += coefficient * sign_sum(s, l);
      // |D|² = |G|² + Σ_s k g_s (2⟨G, ε_s⟩ + ⟨k Σ g ε, ε_s⟩).
      squared_norms_[l] += coefficient * (2.0 * sparse + dense);
      along_signs_[l * copy_count() + s] = sparse + dense;
    }
  }
}

void Ensemble::step(double rate, const GradientView& gradient, Parameters& parameters) {
  for (std::size_t l = 0; l < layer_count_; ++l) {
    squared_distances_[l] += -2.0 * rate * along_displacement_[l] + rate * rate * squared_norms_[l];
  }
  add_scaled(-rate, along_signs_, sign_sums_);
  refresh_shifts();
  const std::span<double> values(parameters.values);
  for (const std::size_t index : gradient.touched) {
    add_scaled(-rate, part(gradient.values, segments_[index]), part(values, segments_[index]));
  }
  const double k = kappa_ / static_cast<double>(copy_count());
  for (std::size_t s = 0; s < copy_count(); ++s) {
    coefficients_[s] = -rate * k * gradient.slopes[s];
  }
  for (const Segment& segment : segments_) {
    signs_.add(coefficients_, segment, part(values, segment));
  }
}

void Ensemble::project(std::span<const double> radii, Parameters& parameters) {
  HANDRAIL_ASSERT(radii.size() == layer_count_);
  for (std::size_t l = 0; l < layer_count_; ++l) {
    const double limit = radii[l] * radii[l];
    if (!(squared_distances_[l] > limit)) continue;
    const double factor = radii[l] / std::sqrt(squared_distances_[l]);
    for (const Segment& segment : segments_) {
      if (segment.layer == l) shrink(factor, segment, parameters);
    }
    for (std::size_t s = 0; s < copy_count(); ++s) sign_sums_[l * copy_count() + s] *= factor;
    squared_distances_[l] = limit;
  }
  refresh_shifts();
}

double Ensemble::sign_sum(std::size_t copy, std::size_t layer) const {
  return sign_sums_[layer * copy_count() + copy];
}

double Ensemble::squared_distance(std::size_t layer) const {
  return squared_distances_[layer];
}

void Ensemble::refresh_shifts() {
  for (std::size_t s = 0; s < copy_count(); ++s) {
    double sum = 0.0;
    for (std::size_t l = 0; l < layer_count_; ++l) sum += sign_sum(s, l);
    shifts_[s] = kappa_ * sum;
  }
}

void Ensemble::save(ByteWriter& out) const {
  out.doubles(sign_sums_);
  out.doubles(squared_distances_);
}

void Ensemble::load(ByteReader& in) {
  in.doubles(sign_sums_);
  in.doubles(squared_distances_);
  refresh_shifts();
}

}  // namespace handrail
