#include "handrail/env/product_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/env/round_stream.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

constexpr ParameterSpec kFactorsRow =
    count_row("factors", "factors of a product, which has choices^factors arms, at most 2^24", "5",
              {.low = 1.0, .high = 256.0});
constexpr ParameterSpec kChoicesRow =
    count_row("choices", "choices in each factor", "10", {.low = 1.0, .high = 4'096.0});
constexpr ParameterSpec of_choices(ParameterSpec rank) {
  rank.meaning =
      "the rank of the baseline's choice in each factor, 1 the cheapest; auto: ceil(choices/3)";
  rank.high = kChoicesRow.high;
  return rank;
}
constexpr ParameterSpec kOwnRankRow = of_choices(kRankRow);
constexpr ParameterSpec kFeaturesRow =
    count_row("features",
              "features of a choice, uniform on the unit sphere; an arm shows those of its choices "
              "and a constant, with norm 1",
              "4", {.low = 1.0, .high = 4'096.0});
enum class Curve : std::uint8_t { kLinear, kSquare };
constexpr std::array<std::string_view, 2> kCurves = {"linear", "square"};
constexpr ParameterSpec kCurveRow =
    word_row("curve", "which of the two formulas", "linear", kCurves);

// choices^factors; nothing if that is more than an environment may have.
std::optional<std::size_t> arm_count_of(std::size_t factors, std::size_t choices) {
  std::size_t arms = 1;
  for (std::size_t f = 0; f < factors; ++f) {
    arms *= choices;
    if (arms > kArmLimit) return std::nullopt;
  }
  return arms;
}

class ProductWorld final : public WorldRounds {
 public:
  ProductWorld(const ParameterValues& values, std::uint64_t seed);

  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kProduct,
            .feature_count = factor_count_ * features_ + 1,
            .block_count = 1};
  }
  std::size_t arm_count() const override { return arms_; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override;
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

  std::size_t factor_count_;
  std::size_t choices_;
  std::size_t features_;  // of a choice
  std::size_t arms_;
  std::size_t rank_;  // of the baseline's choice
  Curve curve_;
  std::uint64_t seed_;
  std::vector<Factor> factors_;
  std::vector<double> direction_;  // √2 a, so that its product with the shown x/√2 is ⟨a, x⟩
};

ProductWorld::ProductWorld(const ParameterValues& values, std::uint64_t seed)
    : factor_count_(values.count(kFactorsRow)),
      choices_(values.count(kChoicesRow)),
      features_(values.count(kFeaturesRow)),
      arms_(arm_count_of(factor_count_, choices_).value()),
      rank_(values.count(kRankRow)),
      curve_(values.choice<Curve>(kCurveRow)),
      seed_(seed),
      factors_(factor_count_, {.choice_count = choices_, .feature_count = features_}),
      direction_(factor_count_ * features_) {
  factors_.push_back({.choice_count = 1, .feature_count = 1});
  draw_direction({seed, Purpose::kWorld, kDirectionStream}, direction_norm(direction_.size()),
                 direction_);
}

void ProductWorld::fill(std::uint64_t t, EnvironmentRound& out) const {
  const double norm = 1.0 / std::sqrt(2.0 * static_cast<double>(factor_count_));
  const std::size_t row_count = factor_count_ * choices_;
  out.t = t;
  out.arm_count = arms_;
  out.factors = factors_;
  out.expected_costs.clear();
  out.features.resize(row_count * features_ + 1);
  for (std::size_t row = 0; row < row_count; ++row) {
    draw_direction(round_stream(seed_, Purpose::kFeatures, t, static_cast<ArmIndex>(row)), norm,
                   std::span(out.features).subspan(row * features_, features_));
  }
  out.features.back() = 1.0 / std::numbers::sqrt2;
  std::size_t arm = 0;
  for (std::size_t f = 0; f < factor_count_; ++f) {
    arm = arm * choices_ + choice_of_rank(out, f, rank_);
  }
  out.baseline.arm = static_cast<ArmIndex>(arm);
  out.baseline.cost = expected_cost(out, out.baseline.arm);
}

double ProductWorld::part(const EnvironmentRound& round, std::size_t factor,
                          std::size_t choice) const {
  const std::size_t size = features_;
  const std::size_t first = (factor * choices_ + choice) * size;
  return inner_product(std::span(direction_).subspan(factor * size, size),
                       std::span(round.features).subspan(first, size));
}

// Ties to the lowest. Quadratic in the choices of one factor, which are few.
std::size_t ProductWorld::choice_of_rank(const EnvironmentRound& round, std::size_t factor,
                                         std::size_t rank) const {
  for (std::size_t choice = 0;; ++choice) {
    HANDRAIL_ASSERT(choice < choices_);
    const double own = part(round, factor, choice);
    std::size_t own_rank = 1;
    for (std::size_t other = 0; other < choices_; ++other) {
      const double others = part(round, factor, other);
      if (others < own || (others == own && other < choice)) ++own_rank;
    }
    if (own_rank == rank) return choice;
  }
}

double ProductWorld::cost_of(double sum) const {
  const double s = 0.5 + 0.5 * sum;
  return curve_ == Curve::kSquare ? s * s : s;
}

double ProductWorld::expected_cost(const EnvironmentRound& round, ArmIndex arm) const {
  HANDRAIL_ASSERT(arm < arms_);
  double sum = 0.0;
  std::size_t place = arms_;
  std::size_t left = arm;
  for (std::size_t f = 0; f < factor_count_; ++f) {
    place /= choices_;
    sum += part(round, f, left / place);
    left %= place;
  }
  return cost_of(sum);
}

double ProductWorld::best_cost(const EnvironmentRound& round) const {
  double sum = 0.0;
  for (std::size_t f = 0; f < factor_count_; ++f) {
    double least = part(round, f, 0);
    for (std::size_t choice = 1; choice < choices_; ++choice) {
      least = std::min(least, part(round, f, choice));
    }
    sum += least;
  }
  return cost_of(sum);
}

Status check(const ParameterValues& values) {
  const std::size_t factors = values.count(kFactorsRow);
  const std::size_t choices = values.count(kChoicesRow);
  if (!arm_count_of(factors, choices).has_value()) {
    return Error{"choices is " + std::to_string(choices) + " and factors is " +
                 std::to_string(factors) + "; at most 2^24 arms were expected"};
  }
  return check_rank(values, choices);
}

constexpr std::array<const ParameterSpec*, 7> kRows = {
    &kOwnRankRow, &kNoiseRow, &kDelayRow, &kFactorsRow, &kChoicesRow, &kFeaturesRow, &kCurveRow};

}  // namespace

constinit const WorldEntry kProductWorld = {
    .name = "product",
    .meaning =
        "many arms: one of `choices` in each of `factors`; with s = 1/2 + <a, x>/2 over all its "
        "choices: h = s (linear) or s^2 (square)",
    .parameters = kRows,
    .resolve = [](ParameterValues& values) { resolve_rank(values, values.count(kChoicesRow)); },
    .check = check,
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<ProductWorld>(values, seed);
    },
};

}  // namespace handrail
