#include "handrail/env/sphere.h"

#include <numbers>
#include <string>

#include "handrail/base/inner_product.h"
#include "handrail/env/round_stream.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {

Status check_sphere_size(const ParameterValues& values) {
  const std::uint64_t count = values.count(kArmsRow) * values.count(kDimRow);
  if (count <= kMostSphereFeatures) return {};
  return Error{"arms times dim is " + std::to_string(count) + "; at most " +
               std::to_string(kMostSphereFeatures) + " was expected"};
}

Status check_sphere(const ParameterValues& values) {
  const Status rank = check_rank_of_arms(values);
  return rank.ok() ? check_sphere_size(values) : rank;
}

Sphere::Sphere(const ParameterValues& values, std::uint64_t seed)
    : arms_(values.count(kArmsRow)), dim_(values.count(kDimRow)), seed_(seed), direction_(dim_) {
  draw_direction({seed, Purpose::kWorld, kDirectionStream}, direction_norm(dim_), direction_);
}

void Sphere::show(std::uint64_t t, EnvironmentRound& out) const {
  constexpr double kNorm = 1.0 / std::numbers::sqrt2;
  out.t = t;
  out.arm_count = arms_;
  out.features.resize(arms_ * (dim_ + 1));
  out.expected_costs.resize(arms_);
  for (ArmIndex arm = 0; arm < arms_; ++arm) {
    draw_direction(round_stream(seed_, Purpose::kFeatures, t, arm), kNorm, point(out, arm));
    row(out, arm).back() = kNorm;
  }
}

void Sphere::project(EnvironmentRound& out) const {
  for (std::size_t arm = 0; arm < arms_; ++arm) {
    out.expected_costs[arm] = inner_product(direction_, point(out, arm));
  }
}

void Sphere::set_linear_costs(EnvironmentRound& out) const {
  project(out);
  for (double& cost : out.expected_costs) cost = 0.5 + 0.5 * cost;
}

}  // namespace handrail
