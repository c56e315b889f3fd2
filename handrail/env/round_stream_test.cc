#include "handrail/env/round_stream.h"

#include <gtest/gtest.h>

#include <set>

namespace handrail {
namespace {

// 10^4 streams that never share a sequence start with 10^4 different numbers of 64 bits, but for a
// chance of 1e8 / 2^65 < 1e-11.
TEST(RoundStream, NoTwoRoundsAndArmsShareTheirLuck) {
  std::set<std::uint64_t> starts;
  for (std::uint64_t t = 1; t <= 100; ++t) {
    for (ArmIndex arm = 0; arm < 100; ++arm) {
      starts.insert(round_stream(1, Purpose::kNoise, t, arm).bits64());
    }
  }
  EXPECT_EQ(starts.size(), 10'000u);
}

TEST(RoundStreamDeathTest, StopsWhereRoundsWouldShareTheirLuck) {
  EXPECT_DEATH(round_stream(1, Purpose::kNoise, kRoundLimit, 0), "broken promise");
  EXPECT_DEATH(round_stream(1, Purpose::kNoise, 1, ArmIndex{kArmLimit}), "broken promise");
}

}  // namespace
}  // namespace handrail
