#include "handrail/env/nonlinear_world.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "handrail/base/inner_product.h"
#include "handrail/base/random.h"
#include "handrail/env/sphere.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

enum class Shape : std::uint8_t { kQuadratic, kBilinear, kCosine };
constexpr std::array<std::string_view, 3> kShapes = {"quadratic", "bilinear", "cosine"};
constexpr ParameterSpec kShapeRow =
    word_row("shape", "which of the three formulas", "quadratic", kShapes);

class NonlinearWorld final : public WorldRounds {
 public:
  NonlinearWorld(const ParameterValues& values, std::uint64_t seed);

  FeatureLayout layout() const override { return sphere_.layout(); }
  std::size_t arm_count() const override { return sphere_.arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    sphere_.show(t, out);
    set_costs(out);
    set_baseline(0, rank_, out);
  }

 private:
  void set_costs(EnvironmentRound& out) const;
  void set_bilinear_costs(EnvironmentRound& out) const;

  Sphere sphere_;
  std::size_t rank_;
  Shape shape_;
  std::vector<double> matrix_;  // √2 A, row after row; only for the bilinear shape
};

NonlinearWorld::NonlinearWorld(const ParameterValues& values, std::uint64_t seed)
    : sphere_(values, seed),
      rank_(values.count(kRankRow)),
      shape_(values.choice<Shape>(kShapeRow)) {
  if (shape_ != Shape::kBilinear) return;
  const std::size_t dim = sphere_.dim();
  matrix_.resize(dim * dim);
  RandomStream stream(seed, Purpose::kWorld, kMatrixStream);
  const double root_d = std::sqrt(static_cast<double>(dim));
  for (double& entry : matrix_) entry = std::numbers::sqrt2 * stream.normal() / root_d;
}

void NonlinearWorld::set_costs(EnvironmentRound& out) const {
  if (shape_ == Shape::kBilinear) {
    set_bilinear_costs(out);
    return;
  }
  sphere_.project(out);
  const double root_d = std::sqrt(static_cast<double>(sphere_.dim()));
  for (double& cost : out.expected_costs) {
    if (shape_ == Shape::kQuadratic) {
      const double z = root_d * cost;
      cost = z * z / (1.0 + z * z);
    } else {
      cost = 0.5 + 0.5 * std::cos(3.0 * root_d * cost);
    }
  }
}

void NonlinearWorld::set_bilinear_costs(EnvironmentRound& out) const {
  const std::size_t d = sphere_.dim();
  for (std::size_t arm = 0; arm < sphere_.arm_count(); ++arm) {
    double q = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double entry =
          inner_product(std::span(matrix_).subspan(i * d, d), sphere_.point(out, arm));
      q += entry * entry;
    }
    out.expected_costs[arm] = q / (1.0 + q);
  }
}

constexpr std::array<const ParameterSpec*, 6> kRows = {&kArmsRow,  &kDimRow,   &kRankRow,
                                                       &kShapeRow, &kNoiseRow, &kDelayRow};

}  // namespace

constinit const WorldEntry kNonlinearWorld = {
    .name = "nonlinear",
    .meaning =
        "with z = sqrt(dim) <a, x>: h = z^2/(1 + z^2) (quadratic) or 1/2 + cos(3z)/2 (cosine); "
        "with q = |Ax|^2: h = q/(1 + q) (bilinear)",
    .parameters = kRows,
    .resolve = resolve_rank_of_arms,
    .check = check_sphere,
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<NonlinearWorld>(values, seed);
    },
};

}  // namespace handrail
