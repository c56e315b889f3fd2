#include "handrail/env/misspecified_world.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(MisspecifiedWorld, TwoArmsShowTheCheapestOtherArm) {
  const auto environment = world("misspecified:arms=6");
  const auto linear = world("linear:arms=6");
  for (std::uint64_t t = 1; t <= 50; ++t) {
    const EnvironmentRound round = round_at(*environment, t);
    const EnvironmentRound honest = round_at(*linear, t);
    const auto cheapest = static_cast<std::size_t>(
        std::min_element(honest.expected_costs.begin() + 2, honest.expected_costs.end()) -
        honest.expected_costs.begin());
    for (const std::size_t liar : {0u, 1u}) {
      EXPECT_TRUE(std::ranges::equal(row(round, liar), row(honest, cheapest)));
      EXPECT_EQ(round.expected_costs[liar], 0.95);
    }
    for (std::size_t arm = 2; arm < 6; ++arm) {
      EXPECT_TRUE(std::ranges::equal(row(round, arm), row(honest, arm)));
      EXPECT_EQ(round.expected_costs[arm], honest.expected_costs[arm]);
    }
    EXPECT_GE(round.baseline.arm, 2u);
  }
}

}  // namespace
}  // namespace handrail
