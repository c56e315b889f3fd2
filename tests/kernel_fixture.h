// Random rows for the tests of the network's kernels, one test a width.
#pragma once

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/layer_kernels.h"

namespace handrail::kernel_fixture {

inline constexpr std::size_t kInputs = 23;
// Around every vector width, and beyond what one pass keeps in registers.
inline constexpr std::size_t kWidths[] = {1,  3,   8,   15,  16,  24,  31,
                                          48, 100, 104, 120, 128, 230, 300};
// Of sums of a few hundred products of numbers around 1.
inline constexpr double kTolerance = 2e-5;

inline auto each_row() {
  return testing::Combine(testing::ValuesIn(kWidths),
                          testing::Values(kColumnAlignment, kRowAlignment));
}

// Of rows of weights: a width, and what their distance is a multiple of.
class KernelTest : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  std::size_t width() const { return std::get<0>(GetParam()); }
  std::size_t stride() const { return round_up(width(), std::get<1>(GetParam())); }

  AlignedFloats numbers(std::size_t count) {
    AlignedFloats result(count + kRowAlignment, 0.0F);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(stream_.normal());
    return result;
  }

  // Rows of `count` numbers with zeros behind them.
  std::vector<AlignedFloats> rows(std::size_t row_count, std::size_t count) {
    std::vector<AlignedFloats> result;
    for (std::size_t b = 0; b < row_count; ++b) {
      result.push_back(numbers(count));
      result.back().resize(padded(count) + kRowAlignment, 0.0F);
    }
    return result;
  }

  static std::vector<float*> pointers(std::vector<AlignedFloats>& rows) {
    std::vector<float*> result;
    for (AlignedFloats& row : rows) result.push_back(row.data());
    return result;
  }

  static std::vector<const float*> const_pointers(const std::vector<AlignedFloats>& rows) {
    std::vector<const float*> result;
    for (const AlignedFloats& row : rows) result.push_back(row.data());
    return result;
  }

  RandomStream stream_{7, Purpose::kTest, 0};
};

}  // namespace handrail::kernel_fixture
