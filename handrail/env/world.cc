#include "handrail/env/world.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/base/random.h"
#include "handrail/env/product_world.h"
#include "handrail/env/round_stream.h"
#include "handrail/env/world_parts.h"

namespace handrail {
namespace {

constexpr double kLiarCost = 0.95;
constexpr double kCheapestArmedCost = 0.2;
constexpr double kDearestArmedCost = 0.8;

// The arm of the given rank (1 the cheapest, ties to the lowest index) among arms first, first + 1,
// …. Quickselect that moves nothing, so that a round needs no memory of its own: the range between
// `below` and `above` shrinks to a pivot of the right rank, after about 2 log K passes where costs
// are in random order.
ArmIndex arm_of_rank(std::span<const double> costs, std::size_t first, std::size_t rank) {
  const auto before = [&](std::size_t a, std::size_t b) {
    return costs[a] < costs[b] || (costs[a] == costs[b] && a < b);
  };
  std::optional<std::size_t> below;
  std::optional<std::size_t> above;
  for (;;) {
    std::size_t pivot = first;
    while ((below.has_value() && !before(*below, pivot)) ||
           (above.has_value() && !before(pivot, *above))) {
      ++pivot;
      HANDRAIL_ASSERT(pivot < costs.size());
    }
    std::size_t pivot_rank = 1;
    for (std::size_t arm = first; arm < costs.size(); ++arm) {
      if (before(arm, pivot)) ++pivot_rank;
    }
    if (pivot_rank == rank) return static_cast<ArmIndex>(pivot);
    (pivot_rank < rank ? below : above) = pivot;
  }
}

void set_baseline(const WorldConfig& config, EnvironmentRound& out) {
  const std::size_t first = config.arms - truthful_arm_count(config);
  const ArmIndex arm = arm_of_rank(out.expected_costs, first, baseline_rank(config));
  out.baseline = {.arm = arm, .cost = out.expected_costs[arm]};
}

// Every arm shows (x, 1)/√2 with its own x, uniform on the unit sphere.
class SphereWorld final : public Environment {
 public:
  explicit SphereWorld(const WorldConfig& config);

  std::string name() const override { return to_spec(config_); }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }  // the name says it all
  BaselineKnown baseline_known() const override { return BaselineKnown::kPerRound; }
  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kRows, .feature_count = config_.dim + 1, .block_count = 1};
  }
  std::size_t arm_count() const override { return config_.arms; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override;
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    return outcome_of(config_, round.t, arm, expected_cost(round, arm));
  }

 private:
  std::span<double> row(EnvironmentRound& out, std::size_t arm) const {
    return std::span(out.features).subspan(arm * (config_.dim + 1), config_.dim + 1);
  }
  // x/√2: the row without the constant at its end.
  std::span<double> point(EnvironmentRound& out, std::size_t arm) const {
    return row(out, arm).first(config_.dim);
  }
  void draw_features(EnvironmentRound& out) const;
  void set_costs(EnvironmentRound& out) const;
  void project(EnvironmentRound& out) const;
  void set_bilinear_costs(EnvironmentRound& out) const;
  void lie(EnvironmentRound& out) const;

  WorldConfig config_;
  std::vector<double> direction_;  // √2 a, so that its product with the shown x/√2 is ⟨a, x⟩
  std::vector<double> matrix_;     // √2 A, row after row; only for the bilinear shape
};

SphereWorld::SphereWorld(const WorldConfig& config) : config_(config), direction_(config.dim) {
  draw_direction({config.seed, Purpose::kWorld, kDirectionStream}, direction_norm(config.dim),
                 direction_);

  if (config.kind != WorldKind::kNonlinear || config.shape != WorldShape::kBilinear) return;
  const auto d = static_cast<double>(config.dim);
  matrix_.resize(config.dim * config.dim);
  RandomStream stream(config.seed, Purpose::kWorld, kMatrixStream);
  for (double& entry : matrix_) entry = std::numbers::sqrt2 * stream.normal() / std::sqrt(d);
}

void SphereWorld::fill(std::uint64_t t, EnvironmentRound& out) const {
  out.t = t;
  out.arm_count = config_.arms;
  out.features.resize(config_.arms * (config_.dim + 1));
  out.expected_costs.resize(config_.arms);
  draw_features(out);
  set_costs(out);
  if (config_.kind == WorldKind::kMisspecified) lie(out);
  set_baseline(config_, out);
  if (config_.kind == WorldKind::kDrifting && t > config_.jump) {
    std::ranges::fill(out.expected_costs, 1.0);
    out.expected_costs[out.baseline.arm] = out.baseline.cost;
  }
}

void SphereWorld::draw_features(EnvironmentRound& out) const {
  constexpr double kNorm = 1.0 / std::numbers::sqrt2;
  for (ArmIndex arm = 0; arm < config_.arms; ++arm) {
    draw_direction(round_stream(config_.seed, Purpose::kFeatures, out.t, arm), kNorm,
                   point(out, arm));
    row(out, arm).back() = kNorm;
  }
}

void SphereWorld::set_costs(EnvironmentRound& out) const {
  if (!matrix_.empty()) {
    set_bilinear_costs(out);
    return;
  }
  project(out);
  const double root_d = std::sqrt(static_cast<double>(config_.dim));
  if (config_.kind != WorldKind::kNonlinear) {
    for (double& cost : out.expected_costs) cost = 0.5 + 0.5 * cost;
  } else if (config_.shape == WorldShape::kQuadratic) {
    for (double& cost : out.expected_costs) {
      const double z = root_d * cost;
      cost = z * z / (1.0 + z * z);
    }
  } else {
    for (double& cost : out.expected_costs) cost = 0.5 + 0.5 * std::cos(3.0 * root_d * cost);
  }
}

// Writes ⟨a, x⟩ where the costs will be.
void SphereWorld::project(EnvironmentRound& out) const {
  for (std::size_t arm = 0; arm < config_.arms; ++arm) {
    out.expected_costs[arm] = inner_product(direction_, point(out, arm));
  }
}

void SphereWorld::set_bilinear_costs(EnvironmentRound& out) const {
  const std::size_t d = config_.dim;
  for (std::size_t arm = 0; arm < config_.arms; ++arm) {
    double q = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double entry = inner_product(std::span(matrix_).subspan(i * d, d), point(out, arm));
      q += entry * entry;
    }
    out.expected_costs[arm] = q / (1.0 + q);
  }
}

// The first arms look like the best of the others, and are the worst.
void SphereWorld::lie(EnvironmentRound& out) const {
  const std::size_t liar_count = config_.arms - truthful_arm_count(config_);
  const ArmIndex cheapest = arm_of_rank(out.expected_costs, liar_count, 1);
  for (std::size_t liar = 0; liar < liar_count; ++liar) {
    std::ranges::copy(row(out, cheapest), row(out, liar).begin());
    out.expected_costs[liar] = kLiarCost;
  }
}

// No context: every round is the same but for its luck.
class ArmedWorld final : public Environment {
 public:
  explicit ArmedWorld(const WorldConfig& config);

  std::string name() const override { return to_spec(config_); }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }  // the name says it all
  BaselineKnown baseline_known() const override { return BaselineKnown::kPerRound; }
  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kBlock, .feature_count = 1, .block_count = config_.arms};
  }
  std::size_t arm_count() const override { return config_.arms; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    out = every_round_;
    out.t = t;
  }
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    return outcome_of(config_, round.t, arm, expected_cost(round, arm));
  }

 private:
  WorldConfig config_;
  EnvironmentRound every_round_;
};

ArmedWorld::ArmedWorld(const WorldConfig& config) : config_(config) {
  every_round_.arm_count = config.arms;
  every_round_.features = {1.0};
  std::vector<double>& costs = every_round_.expected_costs;
  costs.assign(config.arms, std::midpoint(kCheapestArmedCost, kDearestArmedCost));  // of one arm
  for (std::size_t i = 0; config.arms > 1 && i < config.arms; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(config.arms - 1);
    costs[i] = std::lerp(kCheapestArmedCost, kDearestArmedCost, share);
  }
  RandomStream stream(config.seed, Purpose::kWorld, kPermutationStream);
  for (std::size_t i = config.arms; i > 1; --i) std::swap(costs[i - 1], costs[stream.below(i)]);
  set_baseline(config, every_round_);
}

}  // namespace

std::unique_ptr<Environment> make_world(const WorldConfig& config) {
  HANDRAIL_ASSERT(check_world(config).ok());
  if (config.kind == WorldKind::kArmed) return std::make_unique<ArmedWorld>(config);
  if (config.kind == WorldKind::kProduct) return make_product_world(config);
  return std::make_unique<SphereWorld>(config);
}

}  // namespace handrail
