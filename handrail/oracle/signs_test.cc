#include "handrail/oracle/signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "handrail/base/random.h"

namespace handrail {
namespace {

std::vector<double> random_values(std::uint64_t seed, std::size_t count) {
  RandomStream stream(seed, Purpose::kTest, 0);
  std::vector<double> values(count);
  for (double& value : values) value = stream.normal();
  return values;
}

TEST(Signs, BitIOfACopyIsBitIMod128OfItsPhiloxBlock) {
  const SignTable signs = SignTable::draw(9, 3, 512);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::uint32_t i = 0; i < 512; ++i) {
      const PhiloxCounter block = random_block(9, Purpose::kPerturbation, s, i / 128);
      const bool set = ((block[i % 128 / 32] >> (i % 32)) & 1) != 0;
      ASSERT_EQ(signs.sign(s, i), set ? 1.0 : -1.0);
    }
  }
}

TEST(Signs, ASegmentAloneIsASliceOfTheWhole) {
  std::vector<std::uint64_t> whole(20);
  draw_signs(4, 7, 0, whole);
  std::vector<std::uint64_t> alone(6);
  draw_signs(4, 7, 5, alone);
  EXPECT_TRUE(std::ranges::equal(alone, std::span(whole).subspan(10, 6)));
}

// Hoeffding for ±1: |mean| ≤ √(2 log(2·10^6) / 10^6) = 0.0054 but for a chance of 10^-6.
TEST(Signs, AreFair) {
  constexpr std::size_t kCount = 1'000'064;  // the next multiple of 128 after 10^6
  const SignTable signs = SignTable::draw(1, 1, kCount);
  double sum = 0.0;
  for (std::size_t i = 0; i < 1'000'000; ++i) sum += signs.sign(0, i);
  EXPECT_LE(std::abs(sum / 1e6), 0.0054);
}

TEST(Signs, ProductsAgreeWithOneSignAtATime) {
  const SignTable signs = SignTable::draw(2, 5, 1024);
  for (const std::size_t size : {1u, 63u, 64u, 65u, 127u, 128u, 300u}) {
    const Segment segment{.offset = 256, .size = size};
    const std::vector<double> values = random_values(size, size);
    const std::vector<double> coefficients = random_values(size + 1, 5);
    std::vector<double> sums = values;
    signs.add(coefficients, segment, sums);
    std::vector<double> expected_sums = values;
    for (std::size_t s = 0; s < 5; ++s) {
      double product = 0.0;
      double with_first = 0.0;
      for (std::size_t i = 0; i < size; ++i) {
        const double sign = signs.sign(s, 256 + i);
        product += values[i] * sign;
        with_first += sign * signs.sign(0, 256 + i);
        expected_sums[i] += coefficients[s] * sign;
      }
      EXPECT_NEAR(signs.dot(s, segment, values), product, 1e-12);
      EXPECT_EQ(signs.inner_product(s, 0, segment), with_first);
    }
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(sums[i], expected_sums[i], 1e-12);
  }
}

}  // namespace
}  // namespace handrail
