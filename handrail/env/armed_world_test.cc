#include "handrail/env/armed_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(ArmedWorld, SpreadsItsCostsEvenlyAndKeepsThem) {
  const auto environment = world("armed:arms=7,rank=2");
  EXPECT_EQ(environment->layout(), (FeatureLayout{FeatureShape::kBlock, 1, 7}));
  const EnvironmentRound round = round_at(*environment, 1);
  EXPECT_EQ(round.features, std::vector<double>{1.0});
  std::vector<double> sorted = round.expected_costs;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(sorted[i], 0.2 + 0.1 * static_cast<double>(i), 1e-15);
  }
  EXPECT_EQ(round.baseline.cost, sorted[1]);
  EXPECT_EQ(round_at(*environment, 9999).expected_costs, round.expected_costs);
  EXPECT_EQ(round_at(*world("armed:arms=1"), 1).expected_costs, std::vector<double>{0.5});
}

// All 24 orders of four arms turn up in 2000 seeds but for a chance of 24 (23/24)^2000 < 1e-35.
TEST(ArmedWorld, IsPermutedByTheSeed) {
  std::set<std::vector<double>> orders;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    orders.insert(round_at(*world("armed:arms=4", seed), 1).expected_costs);
  }
  EXPECT_EQ(orders.size(), 24u);
}

}  // namespace
}  // namespace handrail
