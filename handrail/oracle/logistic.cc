#include "handrail/oracle/logistic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/oracle/activation.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

constexpr int kMostIterations = 100;
constexpr int kMostHalvings = 50;
// Of the decrease that the slope promises, the part that a step has to keep.
constexpr double kSufficientDecrease = 0.1;
// A Newton decrement below this share of J is lost in the rounding of J, but not in that of its
// slope: one more whole step, so near the minimum, squares the error that is left.
constexpr double kNearMinimum = 1e-12;

double curvature_at(double output) {
  const double p = sigmoid(output);
  return p * (1.0 - p);
}

// J over some examples of one block.
class Objective {
 public:
  Objective(std::vector<Example> examples, double lambda)
      : examples_(std::move(examples)), lambda_(lambda) {}

  double value(std::span<const double> theta) const {
    double sum = 0.5 * lambda_ * inner_product(theta, theta);
    for (const Example& example : examples_) {
      sum += loss_at(Loss::kLog, inner_product(example.arm.features, theta), example.cost);
    }
    return sum;
  }

  // The slope, and the upper triangle of the curvature.
  void derivatives(std::span<const double> theta, std::span<double> slope,
                   std::span<double> curvature) const {
    const std::size_t size = theta.size();
    std::ranges::fill(curvature, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      slope[i] = lambda_ * theta[i];
      curvature[i * size + i] = lambda_;
    }
    for (const Example& example : examples_) {
      const std::span<const double> phi = example.arm.features;
      const double output = inner_product(phi, theta);
      const double first = loss_slope(Loss::kLog, output, example.cost);
      const double second = curvature_at(output);
      for (std::size_t i = 0; i < size; ++i) {
        slope[i] += first * phi[i];
        const double scaled = second * phi[i];
        for (std::size_t j = i; j < size; ++j) curvature[i * size + j] += scaled * phi[j];
      }
    }
  }

 private:
  std::vector<Example> examples_;  // viewing a buffer that outlives this
  double lambda_;
};

void subtract(std::span<double> from, std::span<const double> direction, double share) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= share * direction[i];
}

// θ − share·direction with the first share of 1, ½, ¼, … that lowers J enough. False, and θ as it
// was, if none does.
bool backtrack(const Objective& objective, std::span<double> theta,
               std::span<const double> direction, double decrement) {
  const std::vector<double> start(theta.begin(), theta.end());
  const double before = objective.value(theta);
  double share = 1.0;
  for (int i = 0; i < kMostHalvings; ++i, share *= 0.5) {
    std::ranges::copy(start, theta.begin());
    subtract(theta, direction, share);
    const double after = objective.value(theta);
    if (after <= before - kSufficientDecrease * share * decrement) return true;
  }
  std::ranges::copy(start, theta.begin());
  return false;
}

// Newton's method from θ; leaves the factor of the curvature where it last looked. Where rounding
// makes the curvature singular, both stay as they are.
void minimise(const Objective& objective, std::span<double> theta, CholeskyFactor& curvature) {
  const std::size_t size = theta.size();
  std::vector<double> slope(size);
  std::vector<double> direction(size);
  std::vector<double> matrix(size * size);
  for (int i = 0; i < kMostIterations; ++i) {
    objective.derivatives(theta, slope, matrix);
    if (!curvature.factorise(matrix)) return;
    direction = slope;
    curvature.solve(direction);
    const double decrement = inner_product(slope, direction);
    if (decrement <= kNearMinimum * (1.0 + objective.value(theta))) {
      subtract(theta, direction, 1.0);
      return;
    }
    if (!backtrack(objective, theta, direction, decrement)) return;
  }
}

}  // namespace

LogisticRegression::LogisticRegression(const LogisticConfig& config, const FeatureLayout& layout)
    : config_(config),
      layout_(layout),
      coefficients_(layout.block_count * layout.feature_count, 0.0),
      curvatures_(layout.block_count, CholeskyFactor(layout.feature_count, config.lambda)),
      counts_(layout.block_count, 0),
      examples_(config.history, layout),
      direction_(layout.feature_count, 0.0) {}

double LogisticRegression::predict(const ArmView& arm) const {
  const std::size_t size = layout_.feature_count;
  return sigmoid(
      inner_product(arm.features, std::span(coefficients_).subspan(arm.block * size, size)));
}

void LogisticRegression::add(const ArmView& arm, double cost) {
  HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count && arm.block < layout_.block_count);
  examples_.push({.arm = arm, .cost = cost});
  ++counts_[arm.block];
  step(arm, cost);
  if (std::has_single_bit(counts_[arm.block])) refit(arm.block);
}

void LogisticRegression::save(ByteWriter& out) const {
  out.f64(config_.lambda);
  out.doubles(coefficients_);
  for (const CholeskyFactor& curvature : curvatures_) curvature.save(out);
  for (const std::uint64_t count : counts_) out.u64(count);
  examples_.save(out);
}

Status LogisticRegression::load(ByteReader& in) {
  LogisticRegression loaded = *this;
  if (in.f64() != config_.lambda) in.fail("was saved with another lambda");
  in.doubles(loaded.coefficients_);
  for (CholeskyFactor& curvature : loaded.curvatures_) curvature.load(in);
  for (std::uint64_t& count : loaded.counts_) count = in.u64();
  loaded.examples_.load(in);
  const Status status = in.status();
  if (!status.ok()) return status;
  *this = std::move(loaded);
  return {};
}

std::span<double> LogisticRegression::coefficients_of(std::size_t block) {
  return std::span(coefficients_).subspan(block * layout_.feature_count, layout_.feature_count);
}

// θ ← θ − (H + wφφᵀ)⁻¹(σ(u) − y)φ with w = σ(u)(1 − σ(u)). Its length is at most |φ|/λ.
void LogisticRegression::step(const ArmView& arm, double cost) {
  const std::span<double> theta = coefficients_of(arm.block);
  const double output = inner_product(arm.features, theta);
  const double root = std::sqrt(curvature_at(output));
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = root * arm.features[i];
  CholeskyFactor& curvature = curvatures_[arm.block];
  curvature.add(direction_);
  const double slope = loss_slope(Loss::kLog, output, cost);
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = slope * arm.features[i];
  curvature.solve(direction_);
  subtract(theta, direction_, 1.0);
}

void LogisticRegression::refit(std::size_t block) {
  std::vector<Example> own;
  for (std::size_t age = 0; age < examples_.size(); ++age) {
    const Example example = examples_.by_age(age);
    if (example.arm.block == block) own.push_back(example);
  }
  minimise(Objective(std::move(own), config_.lambda), coefficients_of(block), curvatures_[block]);
}

}  // namespace handrail
