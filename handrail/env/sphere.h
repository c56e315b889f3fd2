// Contexts on the unit sphere, which several worlds share: every arm shows (x, 1)/√2 with its own
// x, uniform on the sphere. What an arm costs is the world's to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "handrail/config/parameter_values.h"
#include "handrail/env/environment.h"

namespace handrail {

// In a round: 128 MB.
inline constexpr std::size_t kMostSphereFeatures = std::size_t{1} << 24;

// Refuses more features in a round than that.
Status check_sphere_size(const ParameterValues& values);
// The same, and a rank that no arm has.
Status check_sphere(const ParameterValues& values);

class Sphere {
 public:
  // Reads arms and dim.
  Sphere(const ParameterValues& values, std::uint64_t seed);

  FeatureLayout layout() const {
    return {.shape = FeatureShape::kRows, .feature_count = dim_ + 1, .block_count = 1};
  }
  std::size_t arm_count() const { return arms_; }
  std::size_t dim() const { return dim_; }

  // Everything of round t but costs and baseline; there is room for the costs.
  void show(std::uint64_t t, EnvironmentRound& out) const;
  // Writes ⟨a, x⟩ where the costs will be, a the unit vector of the seed.
  void project(EnvironmentRound& out) const;
  // Costs ½ + ½⟨a, x⟩.
  void set_linear_costs(EnvironmentRound& out) const;

  std::span<double> row(EnvironmentRound& out, std::size_t arm) const {
    return std::span(out.features).subspan(arm * (dim_ + 1), dim_ + 1);
  }
  // x/√2: the row without the constant at its end.
  std::span<double> point(EnvironmentRound& out, std::size_t arm) const {
    return row(out, arm).first(dim_);
  }

 private:
  std::size_t arms_;
  std::size_t dim_;
  std::uint64_t seed_;
  std::vector<double> direction_;  // √2 a, so that its product with the shown x/√2 is ⟨a, x⟩
};

}  // namespace handrail
