// Worlds by their SPECs, and their rounds, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handrail/env/world.h"

namespace handrail {

inline Result<WorldConfig> parse_world(std::string_view text) {
  const Result<Spec> spec = parse_spec({.key = "world", .value = std::string(text), .place = {}});
  if (!spec.ok()) return spec.error();
  return read_world(spec.value());
}

inline std::unique_ptr<Environment> world(std::string_view spec, std::uint64_t seed = 1) {
  return make_world(parse_world(spec).value(), seed);
}

inline EnvironmentRound round_at(const Environment& environment, std::uint64_t t) {
  EnvironmentRound round;
  environment.fill(t, round);
  return round;
}

// The features of an arm.
inline std::span<const double> row(const EnvironmentRound& round, std::size_t arm) {
  const std::size_t width = round.features.size() / round.arm_count;
  return std::span(round.features).subspan(arm * width, width);
}

// ⟨a, b⟩, one summand after the other.
inline double product_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The θ with ⟨θ, row⟩ = target for as many rows as it has entries: elimination with pivots.
inline std::vector<double> solve(std::vector<std::vector<double>> rows,
                                 std::vector<double> targets) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i; k < n; ++k) {
      if (std::abs(rows[k][i]) > std::abs(rows[pivot][i])) pivot = k;
    }
    std::swap(rows[i], rows[pivot]);
    std::swap(targets[i], targets[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j < n; ++j) rows[k][j] -= factor * rows[i][j];
      targets[k] -= factor * targets[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) targets[i] /= rows[i][i];
  return targets;
}

}  // namespace handrail
