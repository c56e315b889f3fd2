#include "handrail/core/distribution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "handrail/base/random.h"

namespace handrail {
namespace {

TEST(Distribution, SamplesTheFirstArmWhoseCumulativeProbabilityExceedsU) {
  const Distribution distribution({0.25, 0.0, 0.5, 0.25}, 2);
  EXPECT_EQ(distribution.sample(0.0), 0u);
  EXPECT_EQ(distribution.sample(0.24), 0u);
  EXPECT_EQ(distribution.sample(0.25), 2u);
  EXPECT_EQ(distribution.sample(0.75), 3u);
}

// For every number of arms up to several groups of four, arms that cannot be drawn among them. The
// sums are added up in another order, so draws within rounding of a border may differ: none here.
TEST(Distribution, SamplesLikeAScanOverTheArms) {
  RandomStream stream(1, Purpose::kTest, 2);
  for (std::size_t arm_count = 1; arm_count <= 23; ++arm_count) {
    std::vector<double> p(arm_count, 0.0);
    double sum = 0.0;
    for (double& probability : p) {
      probability = stream.uniform() < 0.3 ? 0.0 : stream.uniform() / 23.0;
      sum += probability;
    }
    const std::size_t greedy = stream.below(arm_count);
    p[greedy] += 1.0 - sum;
    const Distribution distribution(p, static_cast<ArmIndex>(greedy));
    for (int draw = 0; draw < 1000; ++draw) {
      const double u = stream.uniform();
      std::size_t arm = 0;
      for (double before = p[0]; arm + 1 < arm_count && u >= before; before += p[arm]) ++arm;
      ASSERT_EQ(distribution.sample(u), arm) << arm_count << " arms, u " << u;
    }
  }
}

TEST(Distribution, FallsToTheGreedyArmWhereRoundingLetsNoneMatch) {
  const double short_of_one = 1.0 - 0x1.0p-52;
  const Distribution distribution({short_of_one / 2, short_of_one / 2, 0.0}, 1);
  EXPECT_EQ(distribution.sample(1.0 - 0x1.0p-53), 1u);
}

TEST(Distribution, CertainAndUniform) {
  const Distribution certain = Distribution::certain(3, 2, {});
  EXPECT_EQ(certain[2], 1.0);
  EXPECT_EQ(certain.sample(1.0 - 0x1.0p-53), 2u);
  const Distribution uniform = Distribution::uniform(4, Distribution::certain(9, 1, {}));
  EXPECT_EQ(uniform.size(), 4u);
  EXPECT_EQ(uniform[3], 0.25);
}

TEST(Distribution, FloorGivesEveryArmItsShare) {
  const Distribution floored = Distribution::with_floor(Distribution::certain(4, 1, {}), 0.2);
  EXPECT_DOUBLE_EQ(floored[0], 0.05);
  EXPECT_DOUBLE_EQ(floored[1], 0.85);
  EXPECT_EQ(floored.greedy_arm(), 1u);
}

// 10^5 draws: each frequency is within √(log(2e6) / 2e5) = 0.00852 of its probability but for a
// chance of 1e-6.
TEST(Distribution, DrawsEachArmAsOftenAsItSays) {
  constexpr int kDraws = 100'000;
  const Distribution distribution({0.1, 0.2, 0.3, 0.4}, 3);
  std::vector<int> counts(4, 0);
  RandomStream stream(1, Purpose::kTest, 1);
  for (int i = 0; i < kDraws; ++i) ++counts[distribution.sample(stream.uniform())];
  for (ArmIndex arm = 0; arm < 4; ++arm) {
    EXPECT_NEAR(static_cast<double>(counts[arm]) / kDraws, distribution[arm], 0.00852);
  }
}

TEST(DistributionDeathTest, RepairsNothing) {
  EXPECT_DEATH(Distribution({0.5, 0.6, -0.1}, 0), "broken promise: negative_count");
  EXPECT_DEATH(Distribution({0.5, 0.6}, 0), "broken promise");
  EXPECT_DEATH(Distribution({0.5, std::nan("")}, 0), "broken promise");
  EXPECT_DEATH(Distribution({1.0}, 1), "broken promise: greedy_arm_");
}

TEST(Distribution, KnowsWhatSumsToOne) {
  EXPECT_TRUE(Distribution::sum_to_one(std::vector<double>(7, 1.0 / 7.0)));
  EXPECT_FALSE(Distribution::sum_to_one(std::vector<double>{0.5, 0.25, 0.125, 0.0625, 0.0624}));
  EXPECT_FALSE(Distribution::sum_to_one(std::vector<double>(5, std::nan(""))));
}

// One that is wrong among many that are right, in every place that a lane may have.
TEST(DistributionDeathTest, StopsAtOneBadProbabilityInAnyPlace) {
  for (std::size_t bad = 0; bad < 6; ++bad) {
    std::vector<double> negative(6, 0.25);
    negative[bad] = -0.25;
    EXPECT_DEATH(Distribution(negative, 0), "broken promise");
    std::vector<double> unknown(6, 1.0 / 6.0);
    unknown[bad] = std::nan("");
    EXPECT_DEATH(Distribution(unknown, 0), "broken promise");
  }
}

}  // namespace
}  // namespace handrail
