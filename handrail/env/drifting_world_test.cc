#include "handrail/env/drifting_world.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(DriftingWorld, JumpsAfterTheRoundItNames) {
  const auto environment = world("drifting:jump=20");
  const auto linear = world("linear");
  for (const std::uint64_t t : {1u, 19u, 20u}) {
    EXPECT_EQ(round_at(*environment, t).expected_costs, round_at(*linear, t).expected_costs);
  }
  for (const std::uint64_t t : {21u, 22u, 5000u}) {
    const EnvironmentRound round = round_at(*environment, t);
    const EnvironmentRound before = round_at(*linear, t);
    EXPECT_EQ(round.features, before.features);
    EXPECT_EQ(round.baseline.arm, before.baseline.arm);
    EXPECT_EQ(round.baseline.cost, before.baseline.cost);
    for (ArmIndex arm = 0; arm < 10; ++arm) {
      const bool kept = arm == round.baseline.arm;
      EXPECT_EQ(round.expected_costs[arm], kept ? before.expected_costs[arm] : 1.0);
    }
  }
}

}  // namespace
}  // namespace handrail
