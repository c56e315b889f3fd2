#include "handrail/env/world_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

// In one dimension every cost is one of two, so a rank is nearly always a tie.
TEST(WorldParts, TiesOfTheBaselineGoToTheLowestIndex) {
  for (std::size_t rank = 1; rank <= 6; ++rank) {
    const auto environment = world("linear:arms=6,dim=1,rank=" + std::to_string(rank));
    for (std::uint64_t t = 1; t <= 50; ++t) {
      const EnvironmentRound round = round_at(*environment, t);
      std::vector<ArmIndex> order = {0, 1, 2, 3, 4, 5};
      std::ranges::stable_sort(order, {}, [&](ArmIndex arm) { return round.expected_costs[arm]; });
      EXPECT_EQ(round.baseline.arm, order[rank - 1]);
    }
  }
}

TEST(WorldParts, ManyArmsStillHaveABaseline) {
  const EnvironmentRound round = round_at(*world("linear:arms=20000,dim=2,rank=777"), 1);
  std::vector<double> sorted = round.expected_costs;
  std::ranges::sort(sorted);
  EXPECT_EQ(round.baseline.cost, sorted[776]);
}

}  // namespace
}  // namespace handrail
