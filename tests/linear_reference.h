// The linear oracle in plain C++, one coordinate after the other: what the kernels are compared
// with.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/oracle/linear.h"

namespace handrail::reference {

inline double sigmoid(double raw) {
  return 1.0 / (1.0 + std::exp(-raw));
}

// −∞ and ∞ at the ends.
inline double logit(double probability) {
  return std::log(probability) - std::log1p(-probability);
}

// What a loss decides: the prediction made of the raw output ŷ, its slope, and how far to go.
// `reach` is q, by how much a step of 1 moves the raw output.
struct SquareLoss {
  static double predicted_cost(double raw) { return std::clamp(raw, 0.0, 1.0); }
  static double slope(double raw, double cost) { return 2.0 * (raw - cost); }
  // Where an infinity of infinitely small gradient steps would end: short of the cost, however
  // large the rate.
  static double step(double raw, double cost, double rate, double reach) {
    return (cost - raw) * (-std::expm1(-2.0 * rate * reach) / reach);
  }
};

struct LogLoss {
  static double predicted_cost(double raw) {
    return std::clamp(sigmoid(raw), kLogLossEdge, 1.0 - kLogLossEdge);
  }
  static double slope(double raw, double cost) { return sigmoid(raw) - cost; }
  static double step(double raw, double cost, double rate, double reach) {
    const double full = rate * (cost - sigmoid(raw));
    const double room = (logit(cost) - raw) / reach;
    return std::abs(full) <= std::abs(room) ? full : room;
  }
};

// The papers' weights w_i, scales s_i (the largest |x_i| so far) and sums of squared gradients G_i
// are kept as w_i·s_i, s_i and G_i/s_i². In these units the features are x_i/s_i, no larger than 1,
// nothing overflows, and the papers' rule that a new scale shrinks the old weight by s_i/|x_i|
// leaves the stored weight alone.
template <typename Rule>
class Linear final : public Oracle {
 public:
  Linear(double learning_rate, const FeatureLayout& layout)
      : layout_(layout), learning_rate_(learning_rate) {
    HANDRAIL_ASSERT(learning_rate > 0.0 && std::isfinite(learning_rate));
    const std::size_t size = layout.block_count * layout.feature_count;
    weights_.resize(size);
    scales_.resize(size);
    gradient_sums_.resize(size);
  }

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& /*scratch*/) const override {
    HANDRAIL_ASSERT(features.layout() == layout_ && costs.size() == features.arm_count());
    for (std::size_t arm = 0; arm < costs.size(); ++arm) {
      costs[arm] = Rule::predicted_cost(raw_output(features.arm(static_cast<ArmIndex>(arm))));
    }
  }

  void update(const ArmView& arm, double cost) override {
    HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count);
    HANDRAIL_ASSERT(arm.block < layout_.block_count);
    widen_scales(arm);
    ++example_count_;
    if (norm_sum_ == 0.0) return;  // nothing but zeros so far
    const double raw = raw_output(arm);
    const double rate = std::sqrt(static_cast<double>(example_count_) / norm_sum_);
    const double reach = rate * add_gradients(arm, Rule::slope(raw, cost));
    if (reach == 0.0) return;
    move(arm, rate * Rule::step(raw, cost, learning_rate_, reach));
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    out.doubles(weights_);
    out.doubles(scales_);
    out.doubles(gradient_sums_);
    out.u64(example_count_);
    out.f64(norm_sum_);
  }

  Status load(ByteReader& in) override {
    Linear loaded(learning_rate_, layout_);
    in.doubles(loaded.weights_);
    in.doubles(loaded.scales_);
    in.doubles(loaded.gradient_sums_);
    const std::uint64_t example_count = in.u64();
    const double norm_sum = in.f64();
    if (!in.status().ok()) return in.status();
    weights_ = std::move(loaded.weights_);
    scales_ = std::move(loaded.scales_);
    gradient_sums_ = std::move(loaded.gradient_sums_);
    example_count_ = example_count;
    norm_sum_ = norm_sum;
    return {};
  }

 private:
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

  FeatureLayout layout_;
  double learning_rate_;
  std::vector<double> weights_;        // w_i·s_i, block after block
  std::vector<double> scales_;         // s_i
  std::vector<double> gradient_sums_;  // G_i/s_i²
  std::uint64_t example_count_ = 0;    // n
  double norm_sum_ = 0.0;              // N
};

inline std::unique_ptr<Oracle> make_linear(const LinearConfig& config,
                                           const FeatureLayout& layout) {
  if (config.loss == Loss::kLog) {
    return std::make_unique<Linear<LogLoss>>(config.learning_rate, layout);
  }
  return std::make_unique<Linear<SquareLoss>>(config.learning_rate, layout);
}

}  // namespace handrail::reference
