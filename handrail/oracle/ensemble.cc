#include "handrail/oracle/ensemble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "handrail/base/aligned_bytes.h"
#include "handrail/base/assert.h"
#include "handrail/base/lane_sum.h"
#include "handrail/oracle/activation.h"
#include "handrail/oracle/dense.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

// ⟨Δ, direction⟩ within one segment.
double along_displacement(const NetworkWeights& parameters, const Segment& segment,
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

void predict_costs(Loss loss, std::span<const double> shifts, std::span<double> outputs) {
  if (loss == Loss::kLog) {
    for (double& output : outputs) output = predicted_cost(loss, output, shifts);
    return;
  }
  const double shift = lane_sum(shifts.size(), [&](std::size_t s) { return shifts[s]; }) /
                       static_cast<double>(shifts.size());
  // A difference of infinities is no number, and no comparison with one holds. Without branches, so
  // that it becomes vectors.
  for (double& output : outputs) {
    const double z = output + shift;
    const double clipped = z < 0.0 ? 0.0 : (z < 1.0 ? z : 1.0);
    output = z - z == 0.0 ? clipped : 1.0;
  }
}

double ensemble_loss(Loss loss, double output, double cost, std::span<const double> shifts) {
  double sum = 0.0;
  for (const double shift : shifts) sum += loss_at(loss, output + shift, cost);
  return sum / static_cast<double>(shifts.size());
}

double add_slopes(Loss loss, const Target& target, std::span<const double> shifts,
                  std::span<double> slopes) {
  HANDRAIL_ASSERT(shifts.size() == slopes.size());
  const auto add = [&](std::size_t s) {
    const double slope = target.weight * loss_slope(loss, target.output + shifts[s], target.cost);
    slopes[s] += slope;
    return slope;
  };
  return lane_sum(shifts.size(), add) / static_cast<double>(shifts.size());
}

EnsembleAccount::EnsembleAccount(const SignTable& signs, double kappa,
                                 std::span<const Segment> segments, Measures measures)
    : copy_count_(signs.copy_count()),
      gram_stride_(round_up(copy_count_, kFewLanes)),
      kappa_(kappa),
      measures_(measures) {
  const std::size_t layer_count = segments.back().layer + 1;
  gram_.assign(layer_count * copy_count_ * gram_stride_, 0.0);
  sign_sums_.assign(layer_count * copy_count_, 0.0);
  squared_distances_.assign(layer_count, 0.0);
  shifts_.assign(copy_count_, 0.0);
  along_displacement_.assign(layer_count, 0.0);
  squared_norms_.assign(layer_count, 0.0);
  along_signs_.assign(layer_count * copy_count_, 0.0);
  dense_.assign(gram_stride_, 0.0);
  make_gram(signs, segments);
}

void EnsembleAccount::make_gram(const SignTable& signs, std::span<const Segment> segments) {
  for (const Segment& segment : segments) {
    double* const gram = gram_.data() + segment.layer * copy_count_ * gram_stride_;
    for (std::size_t one = 0; one < copy_count_; ++one) {
      for (std::size_t other = 0; other < copy_count_; ++other) {
        gram[one * gram_stride_ + other] += signs.inner_product(one, other, segment);
      }
    }
  }
}

void EnsembleAccount::begin() {
  std::ranges::fill(along_displacement_, 0.0);
  std::ranges::fill(squared_norms_, 0.0);
  std::ranges::fill(along_signs_, 0.0);
}

std::span<double> EnsembleAccount::along_signs(std::size_t layer) {
  return std::span(along_signs_).subspan(layer * copy_count_, copy_count_);
}

// dense[s] = ⟨k Σ_o g_o ε_o, ε_s⟩ within a layer, for LANES copies whose running sums stay in
// registers.
template <std::size_t LANES>
void EnsembleAccount::fill_dense(const double* gram, double k, std::span<const double> slopes,
                                 double* dense) const {
  std::array<double, LANES> sums{};
  for (std::size_t other = 0; other < copy_count_; ++other) {
    const double* const row = gram + other * gram_stride_;
    const double coefficient = k * slopes[other];
    for (std::size_t s = 0; s < LANES; ++s) sums[s] += coefficient * row[s];
  }
  std::ranges::copy(sums, dense);
}

// Turns the three measures of G into those of D = G + k Σ_s g_s ε_s, k = κ/S.
double EnsembleAccount::finish(std::span<const double> slopes) {
  HANDRAIL_ASSERT(slopes.size() == copy_count_);
  const double k = kappa_ / static_cast<double>(copy_count_);
  for (std::size_t l = 0; l < layer_count(); ++l) {
    const double* const gram = gram_.data() + l * copy_count_ * gram_stride_;
    std::size_t first = 0;
    for (; first + kGramLanes <= gram_stride_; first += kGramLanes) {
      fill_dense<kGramLanes>(gram + first, k, slopes, dense_.data() + first);
    }
    for (; first < gram_stride_; first += kFewLanes) {
      fill_dense<kFewLanes>(gram + first, k, slopes, dense_.data() + first);
    }
    double* const along_signs = along_signs_.data() + l * copy_count_;
    for (std::size_t s = 0; measures_ != Measures::kSigns && s < copy_count_; ++s) {
      // |D|² = |G|² + Σ_s k g_s (2⟨G, ε_s⟩ + ⟨k Σ g ε, ε_s⟩).
      squared_norms_[l] += k * slopes[s] * (2.0 * along_signs[s] + dense_[s]);
    }
    for (std::size_t s = 0; s < copy_count_; ++s) along_signs[s] += dense_[s];
    for (std::size_t s = 0; measures_ == Measures::kDistances && s < copy_count_; ++s) {
      along_displacement_[l] += k * slopes[s] * sign_sum(s, l);
    }
  }
  return std::accumulate(squared_norms_.begin(), squared_norms_.end(), 0.0);
}

void EnsembleAccount::step(double rate) {
  for (std::size_t l = 0; measures_ == Measures::kDistances && l < layer_count(); ++l) {
    squared_distances_[l] += -2.0 * rate * along_displacement_[l] + rate * rate * squared_norms_[l];
  }
  add_scaled(-rate, along_signs_, sign_sums_);
  refresh_shifts();
}

void EnsembleAccount::dense_coefficients(double rate, std::span<const double> slopes,
                                         std::span<double> coefficients) const {
  const double k = kappa_ / static_cast<double>(copy_count_);
  for (std::size_t s = 0; s < copy_count_; ++s) coefficients[s] = -rate * k * slopes[s];
}

double EnsembleAccount::project(std::size_t layer, double radius) {
  HANDRAIL_ASSERT(measures_ == Measures::kDistances);
  const double limit = radius * radius;
  if (!(squared_distances_[layer] > limit)) return 1.0;
  const double factor = radius / std::sqrt(squared_distances_[layer]);
  for (std::size_t s = 0; s < copy_count_; ++s) sign_sums_[layer * copy_count_ + s] *= factor;
  squared_distances_[layer] = limit;
  refresh_shifts();
  return factor;
}

double EnsembleAccount::sign_sum(std::size_t copy, std::size_t layer) const {
  return sign_sums_[layer * copy_count_ + copy];
}

void EnsembleAccount::remeasure(std::size_t layer, double squared_distance,
                                std::span<const double> sign_sums) {
  HANDRAIL_ASSERT(sign_sums.size() == copy_count_);
  squared_distances_[layer] = squared_distance;
  std::ranges::copy(sign_sums,
                    sign_sums_.begin() + static_cast<std::ptrdiff_t>(layer * copy_count_));
  refresh_shifts();
}

void EnsembleAccount::refresh_shifts() {
  std::ranges::fill(shifts_, 0.0);
  for (std::size_t l = 0; l < layer_count(); ++l) {
    add_scaled(1.0, std::span(sign_sums_).subspan(l * copy_count_, copy_count_), shifts_);
  }
  for (double& shift : shifts_) shift *= kappa_;
}

void EnsembleAccount::save(ByteWriter& out) const {
  out.doubles(sign_sums_);
  out.doubles(squared_distances_);
}

void EnsembleAccount::load(ByteReader& in) {
  in.doubles(sign_sums_);
  in.doubles(squared_distances_);
  refresh_shifts();
}

Ensemble::Ensemble(SignTable signs, double kappa, std::span<const Segment> segments)
    : signs_(std::move(signs)),
      segments_(segments.begin(), segments.end()),
      account_(signs_, kappa, segments),
      coefficients_(signs_.copy_count(), 0.0) {}

double Ensemble::measure(const GradientView& gradient, const NetworkWeights& parameters) {
  account_.begin();
  for (const std::size_t index : gradient.touched) {
    const Segment& segment = segments_[index];
    const auto values = part(gradient.values, segment);
    account_.along_displacement(segment.layer) += along_displacement(parameters, segment, values);
    account_.squared_norm(segment.layer) += dot(values, values);
    const std::span<double> along_signs = account_.along_signs(segment.layer);
    for (std::size_t s = 0; s < along_signs.size(); ++s) {
      along_signs[s] += signs_.dot(s, segment, values);
    }
  }
  return account_.finish(gradient.slopes);
}

void Ensemble::step(double rate, const GradientView& gradient, NetworkWeights& parameters) {
  account_.step(rate);
  const std::span<double> values(parameters.values);
  for (const std::size_t index : gradient.touched) {
    add_scaled(-rate, part(gradient.values, segments_[index]), part(values, segments_[index]));
  }
  account_.dense_coefficients(rate, gradient.slopes, coefficients_);
  for (const Segment& segment : segments_) {
    signs_.add(coefficients_, segment, part(values, segment));
  }
}

void Ensemble::project(std::span<const double> radii, NetworkWeights& parameters) {
  HANDRAIL_ASSERT(radii.size() == account_.layer_count());
  for (std::size_t l = 0; l < radii.size(); ++l) {
    const double factor = account_.project(l, radii[l]);
    if (factor == 1.0) continue;
    for (const Segment& segment : segments_) {
      if (segment.layer == l) shrink(factor, segment, parameters);
    }
  }
}

double Ensemble::sign_sum(std::size_t copy, std::size_t layer) const {
  return account_.sign_sum(copy, layer);
}

double Ensemble::squared_distance(std::size_t layer) const {
  return account_.squared_distance(layer);
}

}  // namespace handrail
