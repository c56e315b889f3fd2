#include "handrail/env/product_world.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/env/round_stream.h"
#include "handrail/env/world_parts.h"

namespace handrail {
namespace {

class ProductWorld final : public Environment {
 public:
  explicit ProductWorld(const WorldConfig& config);

  std::string name() const override { return to_spec(config_); }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }  // the name says it all
  BaselineKnown baseline_known() const override { return BaselineKnown::kPerRound; }
  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kProduct,
            .feature_count = config_.factors * config_.features + 1,
            .block_count = 1};
  }
  std::size_t arm_count() const override { return world_arm_count(config_); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override;
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    return outcome_of(config_, round.t, arm, expected_cost(round, arm));
  }
  double expected_cost(const EnvironmentRound& round, ArmIndex arm) const override;
  double best_cost(const EnvironmentRound& round) const override;

 private:
  // What a choice adds to ⟨a, x⟩.
  double part(const EnvironmentRound& round, std::size_t factor, std::size_t choice) const;
  std::size_t choice_of_rank(const EnvironmentRound& round, std::size_t factor,
                             std::size_t rank) const;
  // Grows with every part of the sum, rounding included: what the sums of others are is no
  // matter, if they are taken in the same order.
  double cost_of(double sum) const;

  WorldConfig config_;
  std::vector<Factor> factors_;
  std::vector<double> direction_;  // √2 a, so that its product with the shown x/√2 is ⟨a, x⟩
};

ProductWorld::ProductWorld(const WorldConfig& config)
    : config_(config),
      factors_(config.factors, {.choice_count = config.choices, .feature_count = config.features}),
      direction_(config.factors * config.features) {
  factors_.push_back({.choice_count = 1, .feature_count = 1});
  draw_direction({config.seed, Purpose::kWorld, kDirectionStream},
                 direction_norm(direction_.size()), direction_);
}

void ProductWorld::fill(std::uint64_t t, EnvironmentRound& out) const {
  const double norm = 1.0 / std::sqrt(2.0 * static_cast<double>(config_.factors));
  const std::size_t row_count = config_.factors * config_.choices;
  out.t = t;
  out.arm_count = arm_count();
  out.factors = factors_;
  out.expected_costs.clear();
  out.features.resize(row_count * config_.features + 1);
  for (std::size_t row = 0; row < row_count; ++row) {
    draw_direction(round_stream(config_.seed, Purpose::kFeatures, t, static_cast<ArmIndex>(row)),
                   norm, std::span(out.features).subspan(row * config_.features, config_.features));
  }
  out.features.back() = 1.0 / std::numbers::sqrt2;
  std::size_t arm = 0;
  for (std::size_t f = 0; f < config_.factors; ++f) {
    arm = arm * config_.choices + choice_of_rank(out, f, baseline_rank(config_));
  }
  out.baseline.arm = static_cast<ArmIndex>(arm);
  out.baseline.cost = expected_cost(out, out.baseline.arm);
}

double ProductWorld::part(const EnvironmentRound& round, std::size_t factor,
                          std::size_t choice) const {
  const std::size_t size = config_.features;
  const std::size_t first = (factor * config_.choices + choice) * size;
  return inner_product(std::span(direction_).subspan(factor * size, size),
                       std::span(round.features).subspan(first, size));
}

// Ties to the lowest. Quadratic in the choices of one factor, which are few.
std::size_t ProductWorld::choice_of_rank(const EnvironmentRound& round, std::size_t factor,
                                         std::size_t rank) const {
  for (std::size_t choice = 0;; ++choice) {
    HANDRAIL_ASSERT(choice < config_.choices);
    const double own = part(round, factor, choice);
    std::size_t own_rank = 1;
    for (std::size_t other = 0; other < config_.choices; ++other) {
      const double others = part(round, factor, other);
      if (others < own || (others == own && other < choice)) ++own_rank;
    }
    if (own_rank == rank) return choice;
  }
}

double ProductWorld::cost_of(double sum) const {
  const double s = 0.5 + 0.5 * sum;
  return config_.curve == WorldCurve::kSquare ? s * s : s;
}

double ProductWorld::expected_cost(const EnvironmentRound& round, ArmIndex arm) const {
  HANDRAIL_ASSERT(arm < arm_count());
  double sum = 0.0;
  std::size_t place = arm_count();
  std::size_t left = arm;
  for (std::size_t f = 0; f < config_.factors; ++f) {
    place /= config_.choices;
    sum += part(round, f, left / place);
    left %= place;
  }
  return cost_of(sum);
}

double ProductWorld::best_cost(const EnvironmentRound& round) const {
  double sum = 0.0;
  for (std::size_t f = 0; f < config_.factors; ++f) {
    double least = part(round, f, 0);
    for (std::size_t choice = 1; choice < config_.choices; ++choice) {
      least = std::min(least, part(round, f, choice));
    }
    sum += least;
  }
  return cost_of(sum);
}

}  // namespace

std::unique_ptr<Environment> make_product_world(const WorldConfig& config) {
  HANDRAIL_ASSERT(config.kind == WorldKind::kProduct && check_world(config).ok());
  return std::make_unique<ProductWorld>(config);
}

}  // namespace handrail
