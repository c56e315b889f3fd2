#include "handrail/oracle/shuffled_fit.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace handrail {
namespace {

const RandomStream kStream(1, Purpose::kTest, 1);

// The examples in the order that they were stepped on, each at a loss.
std::vector<std::size_t> steps_of(const ShuffledFit& plan, std::size_t count, double loss) {
  std::vector<std::size_t> seen;
  std::vector<std::size_t> order(count);
  const std::size_t steps = fit_shuffled(plan, order, kStream, [&](std::size_t index) {
    seen.push_back(index);
    return loss;
  });
  EXPECT_EQ(steps, seen.size());
  return seen;
}

TEST(ShuffledFit, GoesThroughAllExamplesInTheSameDrawnOrderAgain) {
  const auto seen = steps_of({.step_limit = 25, .enough = 0.1}, 10, 0.2);
  ASSERT_EQ(seen.size(), 25u);
  std::vector<std::size_t> pass(seen.begin(), seen.begin() + 10);
  for (std::size_t i = 10; i < 25; ++i) EXPECT_EQ(seen[i], pass[i % 10]);
  EXPECT_FALSE(std::ranges::is_sorted(pass));
  std::ranges::sort(pass);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(pass[i], i);
}

TEST(ShuffledFit, EndsAfterAPassWhoseMeanLossIsEnough) {
  EXPECT_EQ(steps_of({.step_limit = 25, .enough = 0.2}, 10, 0.2).size(), 10u);
  EXPECT_EQ(steps_of({.step_limit = 10, .enough = 0.1}, 10, 0.2).size(), 10u);
  EXPECT_EQ(steps_of({.step_limit = 7, .enough = 0.5}, 10, 0.2).size(), 7u);
  EXPECT_TRUE(steps_of({.step_limit = 7, .enough = 0.5}, 0, 0.2).empty());
}

// Example 3 is first in a tenth of the orders. By Hoeffding 100 000 of them are further than 0.0086
// away with a chance below 2·exp(−2·10^5·0.0086²) < 10^-6.
TEST(ShuffledFit, EveryExampleIsAsLikelyToComeFirst) {
  int first = 0;
  std::array<std::size_t, 10> order{};
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    shuffle(order, 4, RandomStream(2, Purpose::kTest, i));
    first += order[0] == 3 ? 1 : 0;
  }
  EXPECT_NEAR(first / 1e5, 0.1, 0.0086);
}

}  // namespace
}  // namespace handrail
