// The sums over turned signs on every instruction set against plain loops in double.
#include "handrail/oracle/kernels/turned_sign_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/kernels/layer_kernels.h"

namespace handrail {
namespace {

class TurnedSignKernelsTest : public testing::TestWithParam<std::size_t> {
 protected:
  static double sign(unsigned bits, std::size_t bit) { return ((bits >> bit) & 1) != 0 ? 1 : -1; }
  AlignedFloats draw(std::size_t count) {
    AlignedFloats numbers(count);
    for (float& number : numbers) number = static_cast<float>(stream_.normal());
    return numbers;
  }

  RandomStream stream_{8, Purpose::kTest, 1};
};

// Inputs for one byte, for a few, and for more than are looked up at once, some of them 0.
TEST_P(TurnedSignKernelsTest, SumsInputsOfUnits) {
  const std::size_t stride = sign_padded(GetParam());
  for (const std::size_t input_count : {1u, 8u, 18u, 29u, 32u, 47u, 136u}) {
    const std::size_t row_count = (input_count + 15) / 16 * kRowsPerLookup;
    std::vector<SignByte> rows(row_count * stride);
    for (SignByte& byte : rows) byte = static_cast<SignByte>(stream_.below(256));
    std::vector<float> inputs(row_count * kInputsPerByte, 0.0F);
    for (std::size_t i = 0; i < input_count; ++i) inputs[i] = static_cast<float>(stream_.normal());
    for (std::size_t i = 50; i < 102 && i < inputs.size(); ++i) inputs[i] = 0.0F;
    double size = 0.0;
    for (const float input : inputs) size += std::abs(static_cast<double>(input));
    for (const Isa isa : supported_isas()) {
      std::vector<float> dots(stride, 7.0F);
      std::vector<SignByte> used = rows;
      used.resize(rows.size() + kSignAlignment, 0);
      const TurnedSigns shape{used.data(), row_count, stride};
      turned_sign_kernels(isa).arrange(used.data(), shape);
      turned_sign_kernels(isa).dots(shape, inputs.data(), nullptr, dots.data());
      for (std::size_t k = 0; k < stride; ++k) {
        double expected = 0.0;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          const SignByte byte = rows[i / kInputsPerByte * stride + k];
          expected += sign(byte, i % kInputsPerByte) * static_cast<double>(inputs[i]);
        }
        ASSERT_NEAR(static_cast<double>(dots[k]), expected, 2e-5 * size) << to_text(isa);
      }
    }
  }
}

TEST(TurnedSignKernels, InputsOfZeroAndNoNumbers) {
  const std::vector<SignByte> rows((kRowsPerLookup + 1) * kSignAlignment, 0x5A);
  std::vector<float> inputs(kRowsPerLookup * kInputsPerByte, 0.0F);
  for (const Isa isa : supported_isas()) {
    std::vector<float> dots(kSignAlignment, 7.0F);
    const TurnedSigns signs{rows.data(), kRowsPerLookup, kSignAlignment};
    inputs[3] = 0.0F;
    turned_sign_kernels(isa).dots(signs, inputs.data(), nullptr, dots.data());
    for (const float dot : dots) EXPECT_EQ(dot, 0.0F);
    const std::vector<float> start(kSignAlignment, 3.0F);
    std::ranges::fill(dots, 7.0F);
    turned_sign_kernels(isa).dots(signs, inputs.data(), start.data(), dots.data());
    EXPECT_EQ(dots, start) << to_text(isa);
    inputs[3] = std::numeric_limits<float>::infinity();
    turned_sign_kernels(isa).dots(signs, inputs.data(), nullptr, dots.data());
    for (const float dot : dots) EXPECT_FALSE(std::isfinite(dot));
  }
}

// The sums begin with what they are told, on the first inputs and behind them.
TEST(TurnedSignKernels, BeginWithTheStart) {
  const std::vector<SignByte> rows((4 * kRowsPerLookup + 1) * kSignAlignment, 0xFF);
  std::vector<float> inputs(4 * kRowsPerLookup * kInputsPerByte, 0.0F);
  inputs[5] = 0.25F;
  inputs[20] = 0.5F;
  inputs[40] = 1.0F;
  const std::vector<float> start(kSignAlignment, 3.0F);
  for (const Isa isa : supported_isas()) {
    std::vector<float> dots(kSignAlignment, 7.0F);
    const TurnedSigns signs{rows.data(), 4 * kRowsPerLookup, kSignAlignment};
    turned_sign_kernels(isa).dots(signs, inputs.data(), start.data(), dots.data());
    for (const float dot : dots) EXPECT_NEAR(dot, 4.75F, 1e-5F) << to_text(isa);
  }
}

// Rows may have anything behind their end, and what they are added to keeps what it has there.
TEST_P(TurnedSignKernelsTest, AddsCopiesAndNothingBehindThem) {
  const std::size_t count = GetParam();
  const std::vector<float> numbers = {0.5F, -2.0F, 0.25F};
  for (const std::size_t alignment : {kColumnAlignment, kRowAlignment}) {
    const std::size_t stride = round_up(count, alignment);
    const AlignedFloats rows = draw(numbers.size() * stride + kRowAlignment);
    const AlignedFloats before = draw(stride + kRowAlignment);
    for (const Isa isa : supported_isas()) {
      AlignedFloats sums = before;
      turned_sign_kernels(isa).add_copies(numbers, {rows.data(), stride}, sums.data(), sums.data(),
                                          count);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        double expected = static_cast<double>(before[j]);
        for (std::size_t s = 0; s < numbers.size() && j < count; ++s) {
          expected += static_cast<double>(numbers[s]) * static_cast<double>(rows[s * stride + j]);
        }
        ASSERT_NEAR(static_cast<double>(sums[j]), expected, j < count ? 1e-5 : 0.0) << to_text(isa);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, TurnedSignKernelsTest,
                         testing::Values(1, 7, 8, 16, 37, 100, 128, 1700));

}  // namespace
}  // namespace handrail
