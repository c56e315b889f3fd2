#include "handrail/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace handrail {
namespace {

// Known answers of Random123's distribution (kat_vectors, philox4x32, 10 rounds).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PutsSeedIntoTheKeyAndTheRestIntoTheCounter) {
  const std::uint64_t seed = 0x299f31d0a4093822;
  EXPECT_EQ(random_block(seed, Purpose{0x03707344}, 0x13198a2e85a308d3, 0x243f6a88),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsAFunctionOfItsName) {
  RandomStream one(7, Purpose::kTest, 3);
  RandomStream same(7, Purpose::kTest, 3);
  RandomStream other_sequence(7, Purpose::kTest, 4);
  RandomStream other_purpose(7, Purpose::kPolicy, 3);
  RandomStream other_seed(8, Purpose::kTest, 3);
  const std::uint64_t first = one.bits64();
  EXPECT_EQ(first, same.bits64());
  EXPECT_NE(first, other_sequence.bits64());
  EXPECT_NE(first, other_purpose.bits64());
  EXPECT_NE(first, other_seed.bits64());
}

TEST(RandomStream, ACopyReadsTheSameNumbersAgain) {
  RandomStream stream(1, Purpose::kTest, 1);
  static_cast<void>(stream.normal());  // leaves a spare behind
  RandomStream copy = stream;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(stream.normal(), copy.normal());
}

TEST(RandomStream, BelowReachesEveryNumberAndNoOther) {
  RandomStream stream(2, Purpose::kTest, 1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(stream.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(stream.below(1), 0u);
}

// 10^6 draws. Hoeffding: each of the 11 frequencies is further than 0.0028 from its probability
// with chance below 2e-7, and so is the mean of the uniforms from 1/2.
TEST(RandomStream, DrawsUniformly) {
  constexpr int kDraws = 1'000'000;
  RandomStream stream(3, Purpose::kTest, 1);
  std::vector<int> counts(10, 0);
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    ++counts[stream.below(10)];
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  for (const int count : counts) EXPECT_NEAR(static_cast<double>(count) / kDraws, 0.1, 0.0028);
  EXPECT_NEAR(sum / kDraws, 0.5, 0.0028);
}

// Moments of 10^6 normals; six standard errors (a normal exceeds that with chance 2e-9): 0.006 for
// the mean, 0.0085 for the second moment, 0.059 for the fourth.
TEST(RandomStream, DrawsNormals) {
  constexpr int kDraws = 1'000'000;
  RandomStream stream(4, Purpose::kTest, 1);
  double mean = 0.0;
  double second = 0.0;
  double fourth = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    ASSERT_TRUE(std::isfinite(x));
    mean += x / kDraws;
    second += x * x / kDraws;
    fourth += x * x * x * x / kDraws;
  }
  EXPECT_NEAR(mean, 0.0, 0.006);
  EXPECT_NEAR(second, 1.0, 0.0085);
  EXPECT_NEAR(fourth, 3.0, 0.059);
}

}  // namespace
}  // namespace handrail
