#include "handrail/oracle/kernels/row_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace handrail {
namespace {

constexpr std::size_t kCounts[] = {1, 4, 7, 8, 9, 17, 63, 64, 200};

void expect_lists(const std::vector<double>& numbers) {
  const std::size_t count = numbers.size();
  std::vector<std::uint32_t> expected_indices;
  std::vector<float> expected_values;
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] == 0.0) continue;
    expected_indices.push_back(static_cast<std::uint32_t>(i));
    expected_values.push_back(static_cast<float>(numbers[i]));
  }
  for (const Isa isa : supported_isas()) {
    std::vector<float> row(count, 99.0F);
    std::vector<std::uint32_t> indices(count);
    std::vector<float> values(count);
    const RowKernels& kernels = row_kernels(isa);
    const auto expect_listed = [&](std::size_t found) {
      ASSERT_EQ(found, expected_values.size()) << to_text(isa) << ", " << count;
      EXPECT_TRUE(std::ranges::equal(expected_indices, std::span(indices).first(found)));
      EXPECT_TRUE(std::ranges::equal(expected_values, std::span(values).first(found)));
    };
    expect_listed(kernels.list(numbers.data(), count, indices.data(), values.data()));
    std::ranges::fill(values, 0.0F);
    expect_listed(kernels.read(numbers.data(), count, row.data(), indices.data(), values.data()));
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(row[i], static_cast<float>(numbers[i]));
    std::ranges::fill(values, 0.0F);
    expect_listed(kernels.compress(row.data(), count, indices.data(), values.data()));
  }
}

// Short rows and long ones with stretches of zeros are read differently.
TEST(RowKernelsTest, ListsWhatIsNotZeroInOrder) {
  for (const std::size_t count : kCounts) {
    std::vector<double> numbers(count, 0.0);
    for (std::size_t i = 0; i < count; i += i % 50 < 20 ? 3U : 30U) {
      numbers[i] = 0.1 * static_cast<double>(i + 1);
    }
    expect_lists(numbers);
  }
}

// And short rows without a 0 differently again: a single one, wherever it is, must be found.
TEST(RowKernelsTest, ListsWholeRowsAndThoseThatLackOneNumber) {
  for (const std::size_t count : kCounts) {
    std::vector<double> whole(count);
    for (std::size_t i = 0; i < count; ++i) whole[i] = 0.1 * static_cast<double>(i + 1);
    expect_lists(whole);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> numbers = whole;
      numbers[i] = i % 2 == 0 ? 0.0 : -0.0;
      expect_lists(numbers);
    }
  }
}

// A network that has diverged must look expensive, so nobody may drop what is no number.
TEST(RowKernelsTest, ListsWhatIsNotANumber) {
  for (const Isa isa : supported_isas()) {
    std::vector<double> numbers(200, 0.0);
    numbers[5] = numbers[199] = std::numeric_limits<double>::quiet_NaN();
    std::vector<float> row(200);
    std::vector<std::uint32_t> indices(200);
    std::vector<float> values(200);
    const RowKernels& kernels = row_kernels(isa);
    EXPECT_EQ(kernels.list(numbers.data(), 200, indices.data(), values.data()), 2u) << to_text(isa);
    EXPECT_EQ(kernels.read(numbers.data(), 200, row.data(), indices.data(), values.data()), 2u);
    EXPECT_EQ(kernels.compress(row.data(), 200, indices.data(), values.data()), 2u);
    EXPECT_TRUE(indices[0] == 5 && std::isnan(values[0]));
  }
}

}  // namespace
}  // namespace handrail
