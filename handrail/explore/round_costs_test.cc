#include "handrail/explore/round_costs.h"

#include <gtest/gtest.h>

#include "handrail/explore/weighting.h"
#include "tests/curved_oracle.h"

namespace handrail {
namespace {

const std::vector<Factor> kShape = {{2, 1}, {3, 2}, {1, 1}, {4, 1}};

TEST(RoundCosts, OnePassFindsTheCheapestArmOfALinearModel) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const SmallProduct product(kShape, seed);
    const auto oracle = curved(5);
    const ArmFeatures features = product.features();
    Scratch scratch;
    SearchMemory memory;
    RoundCosts costs(*oracle, features, scratch, memory);
    const std::vector<double> all = all_costs(product);
    for (const ArmIndex start : {0u, 7u, 23u}) {
      EXPECT_EQ(costs.cheapest(start, 1), greedy_arm(all)) << seed;
    }
    const std::vector<ArmIndex> some = {1, 5, 22};
    std::vector<double> predicted(3);
    costs.predict(some, predicted);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(predicted[i], all[some[i]]);
  }
}

// With a bend the arm found may be dearer than the cheapest, but no single change helps.
TEST(RoundCosts, TheSearchEndsWhereNoSingleChangeHelps) {
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const SmallProduct product(kShape, seed);
    const auto oracle = curved(5, 3.0);
    const ArmFeatures features = product.features();
    Scratch scratch;
    SearchMemory memory;
    const std::vector<double> all = all_costs(product, 3.0);
    const ArmIndex found = RoundCosts(*oracle, features, scratch, memory).cheapest(11, 100);
    EXPECT_LE(all[found], all[11]);
    std::vector<std::size_t> choices(4);
    for (std::size_t f = 0; f < 4; ++f) {
      for (std::size_t choice = 0; choice < kShape[f].choice_count; ++choice) {
        choices_of(product.factors, found, choices);
        choices[f] = choice;
        EXPECT_LE(all[found], all[arm_of(product.factors, choices)]);
      }
    }
    if (found != greedy_arm(all)) ++missed;
  }
  EXPECT_GT(missed, 0u);  // else this test shows nothing
}

}  // namespace
}  // namespace handrail
