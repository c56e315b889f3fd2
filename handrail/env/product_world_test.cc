#include "handrail/env/product_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(ProductWorld, HasAHundredThousandArmsAndFiftyRows) {
  const auto environment = world("product");
  const EnvironmentRound round = round_at(*environment, 1);
  EXPECT_EQ(environment->arm_count(), 100'000u);
  EXPECT_EQ(round.features.size(), 5u * 10u * 4u + 1u);
  EXPECT_TRUE(round.expected_costs.empty());
  EXPECT_EQ(environment->layout(), (FeatureLayout{FeatureShape::kProduct, 21, 1}));
  EXPECT_LT(environment->best_cost(round), round.baseline.cost);
}

// 27 arms can be gone over. All costs come from the shown features by one linear function, which
// four arms and four equations would give; here it is read off the differences of costs: an arm
// that differs in one choice differs by ½⟨√2 a_f, x_f − x_f'⟩ alone, whatever the other choices
// are.
TEST(ProductWorld, CostsAreSumsOverFactors) {
  const auto environment = world("product:factors=3,choices=3,features=2");
  const EnvironmentRound round = round_at(*environment, 5);
  const auto h = [&](ArmIndex arm) { return environment->expected_cost(round, arm); };
  const double first = h(9) - h(0);   // choice 1 instead of 0 in the first factor
  const double second = h(6) - h(0);  // choice 2 instead of 0 in the second
  for (ArmIndex rest = 0; rest < 9; ++rest) EXPECT_NEAR(h(9 + rest) - h(rest), first, 1e-15);
  for (const ArmIndex base : {0u, 1u, 2u, 9u, 20u}) {
    EXPECT_NEAR(h(base + 6) - h(base), second, 1e-15);
  }
}

TEST(ProductWorld, TheSquareIsThatOfTheLinearCost) {
  const EnvironmentRound round = round_at(*world("product:factors=2,choices=3"), 2);
  const auto linear = world("product:factors=2,choices=3");
  const auto square = world("product:factors=2,choices=3,curve=square");
  EXPECT_EQ(round_at(*square, 2).features, round.features);
  for (ArmIndex arm = 0; arm < 9; ++arm) {
    const double s = linear->expected_cost(round, arm);
    EXPECT_NEAR(square->expected_cost(round, arm), s * s, 1e-15);
  }
}

// Found through the structure, and by going over all arms.
TEST(ProductWorld, BestAndBaselineAreWhatBruteForceFinds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto environment = world("product:factors=3,choices=4,features=2,rank=2", seed);
    const EnvironmentRound round = round_at(*environment, seed);
    std::vector<double> costs;
    for (ArmIndex arm = 0; arm < 64; ++arm) {
      costs.push_back(environment->expected_cost(round, arm));
    }
    EXPECT_EQ(environment->best_cost(round), *std::ranges::min_element(costs));
    EXPECT_EQ(round.baseline.cost, costs[round.baseline.arm]);
    // In each factor exactly one choice instead of the baseline's makes it cheaper.
    for (const ArmIndex place : {16u, 4u, 1u}) {
      const ArmIndex without = round.baseline.arm - round.baseline.arm / place % 4 * place;
      int cheaper = 0;
      for (ArmIndex choice = 0; choice < 4; ++choice) {
        cheaper += costs[without + choice * place] < round.baseline.cost ? 1 : 0;
      }
      EXPECT_EQ(cheaper, 1);
    }
  }
}

}  // namespace
}  // namespace handrail
