#include "handrail/env/world.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(World, BaselineHasTheRankItWasAskedFor) {
  for (const char* kind : {"linear", "nonlinear", "misspecified", "armed"}) {
    for (std::size_t rank = 1; rank <= 5; ++rank) {
      const auto environment = world(std::string(kind) + ":arms=7,rank=" + std::to_string(rank));
      for (std::uint64_t t = 1; t <= 30; ++t) {
        const EnvironmentRound round = round_at(*environment, t);
        const bool lies = std::string_view(kind) == "misspecified";
        std::vector<double> sorted(round.expected_costs.begin() + (lies ? 2 : 0),
                                   round.expected_costs.end());
        std::ranges::sort(sorted);
        EXPECT_EQ(round.baseline.cost, sorted[rank - 1]);
        EXPECT_EQ(round.baseline.cost, round.expected_costs[round.baseline.arm]);
      }
    }
  }
}

TEST(World, OutcomesFollowNoiseAndDelay) {
  const auto exact = world("linear:noise=none,delay=7");
  const EnvironmentRound round = round_at(*exact, 5);
  EXPECT_EQ(exact->outcome(round, 3).cost, round.expected_costs[3]);
  EXPECT_EQ(exact->outcome(round, 3).arrives, 12u);
  const auto late = world("linear:delay=outcome:5:300");
  for (std::uint64_t t = 1; t <= 100; ++t) {
    const Outcome outcome = late->outcome(round_at(*late, t), 2);
    EXPECT_TRUE(outcome.cost == 0.0 || outcome.cost == 1.0);
    EXPECT_EQ(outcome.arrives, outcome.cost == 0.0 ? t + 5 : t + 300);
  }
}

TEST(WorldDeathTest, StopsAtValuesThatNobodyChecked) {
  WorldConfig config = parse_world("linear").value();
  ASSERT_TRUE(config.values.set("rank", "11").ok());
  EXPECT_DEATH(make_world(config, 1), "broken promise");
  const auto environment = world("linear");
  const EnvironmentRound round = round_at(*environment, 1);
  EXPECT_DEATH(static_cast<void>(environment->outcome(round, 10)), "broken promise");
}

}  // namespace
}  // namespace handrail
