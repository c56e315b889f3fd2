#include "handrail/env/linear_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

// θ of a linear world, from the arms of its first round.
std::vector<double> theta_of(const EnvironmentRound& round) {
  std::vector<std::vector<double>> rows;
  const std::size_t width = row(round, 0).size();
  for (std::size_t arm = 0; arm < width; ++arm) {
    rows.emplace_back(row(round, arm).begin(), row(round, arm).end());
  }
  const auto width_signed = static_cast<std::ptrdiff_t>(width);
  return solve(rows, {round.expected_costs.begin(), round.expected_costs.begin() + width_signed});
}

// h = ½ + ½⟨a, x⟩ = ⟨(a, 1), (x, 1)/√2⟩/√2: one θ explains every round, and a has norm 1.
TEST(LinearWorld, HasOneThetaForAllRounds) {
  const auto environment = world("linear:arms=20,dim=10", 5);
  const std::vector<double> theta = theta_of(round_at(*environment, 1));
  for (std::uint64_t t = 2; t <= 50; ++t) {
    const EnvironmentRound round = round_at(*environment, t);
    for (std::size_t arm = 0; arm < 20; ++arm) {
      EXPECT_NEAR(product_of(theta, row(round, arm)), round.expected_costs[arm], 1e-9);
    }
  }
  EXPECT_NEAR(theta.back(), 1.0 / std::numbers::sqrt2, 1e-9);
  EXPECT_NEAR(std::sqrt(2.0 * product_of(theta, theta) - 1.0), 1.0, 1e-9);
}

// In one dimension ⟨a, x⟩ is 1 or −1 in every round: the edges of [0, 1], which rounding must not
// cross in any dimension.
TEST(LinearWorld, KeepsItsCostsInsideAtTheEdges) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const char* spec : {"linear:arms=40,dim=1", "linear:arms=40,dim=2"}) {
      for (const double cost : round_at(*world(spec, seed), 1).expected_costs) {
        ASSERT_GE(cost, 0.0);
        ASSERT_LE(cost, 1.0);
      }
    }
  }
  const EnvironmentRound round = round_at(*world("linear:arms=40,dim=1"), 1);
  EXPECT_LT(std::ranges::min(round.expected_costs), 1e-14);
  EXPECT_GT(std::ranges::max(round.expected_costs), 1.0 - 1e-14);
}

}  // namespace
}  // namespace handrail
