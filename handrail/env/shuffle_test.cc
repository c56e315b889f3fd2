#include "handrail/env/shuffle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace handrail {
namespace {

TEST(Shuffle, IsAPermutationForEveryCount) {
  for (std::uint64_t count = 1; count <= 300; ++count) {
    std::vector<bool> seen(count, false);
    for (std::uint64_t place = 0; place < count; ++place) {
      const std::uint64_t row = shuffled(place, count, 7, 3);
      ASSERT_LT(row, count);
      EXPECT_FALSE(seen[row]) << "count " << count << ", place " << place;
      seen[row] = true;
    }
  }
}

TEST(Shuffle, SeedAndPassBothChangeIt) {
  int same_seed = 0;
  int same_pass = 0;
  for (std::uint64_t place = 0; place < 1000; ++place) {
    same_seed += shuffled(place, 1000, 1, 0) == shuffled(place, 1000, 2, 0) ? 1 : 0;
    same_pass += shuffled(place, 1000, 1, 0) == shuffled(place, 1000, 1, 1) ? 1 : 0;
  }
  // Two independent permutations agree in Poisson(1) places; 16 or more have chance below 1e-13.
  EXPECT_LT(same_seed, 16);
  EXPECT_LT(same_pass, 16);
}

// Over 10^5 seeds each of 5 rows comes first in a share within √(log(2e6)/2e5) = 0.0086 of 1/5, and
// each ordered pair of the first two in a share within that of 1/20, but for a chance of 25e-6.
TEST(Shuffle, EveryRowIsEquallyLikelyInFirstPlaces) {
  constexpr std::uint64_t kSeeds = 100'000;
  std::vector<std::vector<int>> pairs(5, std::vector<int>(5, 0));
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ++pairs[shuffled(0, 5, seed, 0)][shuffled(1, 5, seed, 0)];
  }
  for (std::size_t first = 0; first < 5; ++first) {
    double total = 0.0;
    for (std::size_t second = 0; second < 5; ++second) {
      const double share = pairs[first][second] / static_cast<double>(kSeeds);
      EXPECT_NEAR(share, first == second ? 0.0 : 0.05, 0.0086);
      total += share;
    }
    EXPECT_NEAR(total, 0.2, 0.0086);
  }
}

}  // namespace
}  // namespace handrail
