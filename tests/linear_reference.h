// The linear oracle in plain C++, one coordinate after the other: what its kernels are compared
// with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "handrail/oracle/linear.h"

namespace handrail {

// The papers' weights w_i, scales s_i (the largest |x_i| so far) and sums of squared gradients G_i
// are kept as w_i·s_i, s_i and G_i/s_i². In these units the features are x_i/s_i, no larger than 1,
// and the papers' rule that a new scale shrinks the old weight by s_i/|x_i| leaves the stored
// weight alone.
class LinearReference {
 public:
  LinearReference(const LinearConfig& config, const FeatureLayout& layout)
      : config_(config),
        layout_(layout),
        weights_(layout.block_count * layout.feature_count),
        scales_(weights_.size()),
        gradient_sums_(weights_.size()) {}

  std::vector<double> predict(const ArmFeatures& features) const {
    std::vector<double> costs;
    for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
      costs.push_back(predicted_cost(raw_output(features.arm(arm))));
    }
    return costs;
  }

  void update(const ArmView& arm, double cost) {
    widen_scales(arm);
    ++example_count_;
    if (norm_sum_ == 0.0) return;  // nothing but zeros so far
    const double raw = raw_output(arm);
    const double rate = std::sqrt(static_cast<double>(example_count_) / norm_sum_);
    const double reach = rate * add_gradients(arm, slope(raw, cost));
    if (reach == 0.0) return;
    move(arm, rate * step(raw, cost, reach));
  }

 private:
  static double sigmoid(double raw) { return 1.0 / (1.0 + std::exp(-raw)); }

  // −∞ and ∞ at the ends.
  static double logit(double chance) { return std::log(chance) - std::log1p(-chance); }

  double predicted_cost(double raw) const {
    if (config_.loss == Loss::kSquare) return std::clamp(raw, 0.0, 1.0);
    return std::clamp(sigmoid(raw) / config_.ceiling, kLogLossEdge, 1.0 - kLogLossEdge);
  }

  double slope(double raw, double cost) const {
    if (config_.loss == Loss::kSquare) return 2.0 * (raw - cost);
    return sigmoid(raw) - config_.ceiling * cost;
  }

  double step(double raw, double cost, double reach) const {
    const double rate = config_.learning_rate;
    if (config_.loss == Loss::kSquare) {
      return (cost - raw) * (-std::expm1(-2.0 * rate * reach) / reach);
    }
    const double full = rate * (config_.ceiling * cost - sigmoid(raw));
    const double room = (logit(config_.ceiling * cost) - raw) / reach;
    return std::abs(full) <= std::abs(room) ? full : room;
  }

  std::size_t first_of(const ArmView& arm) const { return arm.block * layout_.feature_count; }

  // ŷ = Σ w_i x_i, with the scales that an update with this arm would have.
  double raw_output(const ArmView& arm) const {
    const std::size_t first = first_of(arm);
    double sum = 0.0;
    for (std::size_t i = 0; i < arm.features.size(); ++i) {
      const double x = arm.features[i];
      if (x == 0.0) continue;
      sum += weights_[first + i] * (x / std::max(scales_[first + i], std::abs(x)));
    }
    return sum;
  }

  // Also N += Σ x_i²/s_i².
  void widen_scales(const ArmView& arm) {
    const std::size_t first = first_of(arm);
    for (std::size_t i = 0; i < arm.features.size(); ++i) {
      const double x = arm.features[i];
      if (x == 0.0) continue;
      double& scale = scales_[first + i];
      if (std::abs(x) > scale) {
        const double shrink = scale / std::abs(x);
        gradient_sums_[first + i] *= shrink * shrink;
        scale = std::abs(x);
      }
      norm_sum_ += (x / scale) * (x / scale);
    }
  }

  // G_i += (g x_i)²; returns q up to the factor √(n/N) that all coordinates share.
  double add_gradients(const ArmView& arm, double slope) {
    const std::size_t first = first_of(arm);
    double reach = 0.0;
    for (std::size_t i = 0; i < arm.features.size(); ++i) {
      const double x = arm.features[i];
      if (x == 0.0) continue;
      const double scaled = x / scales_[first + i];
      double& gradient_sum = gradient_sums_[first + i];
      gradient_sum += (slope * scaled) * (slope * scaled);
      if (gradient_sum > 0.0) reach += scaled * scaled / std::sqrt(gradient_sum);
    }
    return reach;
  }

  // w_i += step · r_i x_i, where `length` is the step times √(n/N).
  void move(const ArmView& arm, double length) {
    const std::size_t first = first_of(arm);
    for (std::size_t i = 0; i < arm.features.size(); ++i) {
      const double x = arm.features[i];
      const double gradient_sum = gradient_sums_[first + i];
      if (x == 0.0 || gradient_sum == 0.0) continue;
      weights_[first + i] += length * (x / scales_[first + i] / std::sqrt(gradient_sum));
    }
  }

  LinearConfig config_;
  FeatureLayout layout_;
  std::vector<double> weights_;        // w_i·s_i, block after block
  std::vector<double> scales_;         // s_i
  std::vector<double> gradient_sums_;  // G_i/s_i²
  std::uint64_t example_count_ = 0;    // n
  double norm_sum_ = 0.0;              // N
};

}  // namespace handrail
