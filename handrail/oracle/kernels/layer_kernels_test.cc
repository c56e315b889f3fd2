// Every layer kernel on every instruction set against plain loops in double.
#include "handrail/oracle/kernels/layer_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernel_fixture.h"

namespace handrail {
namespace {

using kernel_fixture::each_row;
using kernel_fixture::kInputs;
using kernel_fixture::kTolerance;

class LayerKernelsTest : public kernel_fixture::KernelTest {};

double unit_sum(const AlignedFloats& weights, const AlignedFloats& start, const float* inputs,
                std::size_t stride, std::size_t j) {
  double sum = static_cast<double>(start[j]);
  for (std::size_t i = 0; i < kInputs; ++i) {
    sum += static_cast<double>(inputs[i]) * static_cast<double>(weights[i * stride + j]);
  }
  return sum;
}

TEST_P(LayerKernelsTest, ForwardIsTheSumOverInputs) {
  const AlignedFloats weights = numbers(kInputs * stride());
  const AlignedFloats start = numbers(width());
  for (const Isa isa : supported_isas()) {
    const LayerKernels& kernels = layer_kernels(isa);
    for (const std::size_t count : {1u, 2u, 4u, 7u, 13u}) {
      const std::vector<AlignedFloats> inputs = rows(count, kInputs);
      std::vector<AlignedFloats> sums(count, AlignedFloats(padded(width()), 99.0F));
      const LayerView layer{weights.data(), start.data(), kInputs, width(), stride(), 0.5F};
      kernels.dense_forward(const_pointers(inputs).data(), count, layer, pointers(sums).data());
      for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t j = 0; j < width(); ++j) {
          const double sum = unit_sum(weights, start, inputs[b].data(), stride(), j);
          ASSERT_NEAR(static_cast<double>(sums[b][j]), 0.5 * sum, kTolerance) << to_text(isa);
        }
      }
    }
  }
}

TEST_P(LayerKernelsTest, SparseForwardSkipsOnlyZeros) {
  const AlignedFloats weights = numbers(kInputs * stride());
  const AlignedFloats start = numbers(width());
  std::vector<float> dense(kInputs, 0.0F);
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  for (std::uint32_t i = 0; i < kInputs; i += 3) {
    indices.push_back(i);
    values.push_back(static_cast<float>(stream_.normal()));
    dense[i] = values.back();
  }
  const SparseRow row{indices.data(), values.data(), values.size()};
  for (const Isa isa : supported_isas()) {
    AlignedFloats sums(padded(width()), 99.0F);
    layer_kernels(isa).sparse_forward(
        row, {weights.data(), start.data(), kInputs, width(), stride(), 2.0F}, sums.data());
    for (std::size_t j = 0; j < width(); ++j) {
      const double sum = unit_sum(weights, start, dense.data(), stride(), j);
      ASSERT_NEAR(static_cast<double>(sums[j]), 2.0 * sum, kTolerance) << to_text(isa);
    }
  }
}

TEST_P(LayerKernelsTest, UnitOutputIsAForwardPassAndItsWeightedSum) {
  const AlignedFloats weights = numbers(kInputs * stride());
  const AlignedFloats start = numbers(width());
  AlignedFloats output = numbers(width());
  output[width()] = std::numeric_limits<float>::quiet_NaN();  // what lies behind is not read
  const AlignedFloats dense = numbers(kInputs);
  std::vector<std::uint32_t> indices(kInputs);
  for (std::uint32_t i = 0; i < kInputs; ++i) indices[i] = i;
  for (const Isa isa : supported_isas()) {
    AlignedFloats units(padded(width()), 99.0F);
    const float found = layer_kernels(isa).unit_output(
        {indices.data(), dense.data(), kInputs},
        {weights.data(), start.data(), kInputs, width(), stride(), 0.5F}, output.data(),
        units.data());
    double expected = 0.0;
    for (std::size_t j = 0; j < width(); ++j) {
      const double unit = std::max(0.0, 0.5 * unit_sum(weights, start, dense.data(), stride(), j));
      ASSERT_NEAR(static_cast<double>(units[j]), unit, kTolerance) << to_text(isa);
      expected += unit * static_cast<double>(output[j]);
    }
    ASSERT_NEAR(static_cast<double>(found), expected, 20 * kTolerance) << to_text(isa);
  }
}

// Near blocks, and blocks so far apart that they are read ahead of need.
class BlockKernelsTest : public LayerKernelsTest {
 protected:
  void expect_outputs(std::size_t gap, std::size_t input_count);
};

void BlockKernelsTest::expect_outputs(std::size_t gap, std::size_t input_count) {
  constexpr std::size_t kBlocks = 5;
  const std::size_t block = kInputs * stride() + gap;
  const AlignedFloats weights = numbers(kBlocks * block);
  const AlignedFloats start = numbers(width());
  AlignedFloats output = numbers(width());
  output[width()] = std::numeric_limits<float>::quiet_NaN();  // what lies behind is not read
  const AlignedFloats dense = numbers(input_count);
  std::vector<std::uint32_t> indices(input_count);
  for (std::uint32_t i = 0; i < input_count; ++i) indices[i] = i;
  for (const Isa isa : supported_isas()) {
    std::vector<float> outputs(kBlocks);
    const BlockLayers blocks{{weights.data(), start.data(), kInputs, width(), stride(), 0.5F},
                             block,
                             kBlocks,
                             output.data()};
    layer_kernels(isa).block_outputs({{indices.data(), dense.data(), input_count}, blocks},
                                     outputs.data());
    for (std::size_t b = 0; b < kBlocks; ++b) {
      double sum = 0.0;
      for (std::size_t j = 0; j < width(); ++j) {
        double unit = static_cast<double>(start[j]);
        for (std::size_t i = 0; i < input_count; ++i) {
          unit += static_cast<double>(dense[i]) *
                  static_cast<double>(weights[b * block + i * stride() + j]);
        }
        sum += std::max(0.0, 0.5 * unit) * static_cast<double>(output[j]);
      }
      ASSERT_NEAR(static_cast<double>(outputs[b]), sum, 20 * kTolerance) << to_text(isa);
    }
  }
}

TEST_P(BlockKernelsTest, BlockOutputsFuseReluAndOutput) {
  expect_outputs(9, kInputs);
}

TEST_P(BlockKernelsTest, FarBlocksAreTheSame) {
  expect_outputs(std::size_t{1} << 17, kInputs);
  expect_outputs(std::size_t{1} << 17, 10);  // so few that they are read ahead
  expect_outputs(std::size_t{1} << 17, 2);   // fewer than that takes
}

TEST_P(LayerKernelsTest, BackwardIsTheSumOverUnits) {
  const AlignedFloats weights = numbers(kInputs * stride());
  for (const Isa isa : supported_isas()) {
    for (const std::size_t count : {1u, 4u, 6u}) {
      const std::vector<AlignedFloats> slopes = rows(count, width());
      std::vector<AlignedFloats> outputs(count, AlignedFloats(padded(kInputs), 0.0F));
      const LayerView layer{weights.data(), nullptr, kInputs, width(), stride(), 1.0F};
      layer_kernels(isa).dense_backward(const_pointers(slopes).data(), count, layer,
                                        pointers(outputs).data());
      for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t i = 0; i < kInputs; ++i) {
          double sum = 0.0;
          for (std::size_t j = 0; j < width(); ++j) {
            sum +=
                static_cast<double>(slopes[b][j]) * static_cast<double>(weights[i * stride() + j]);
          }
          ASSERT_NEAR(static_cast<double>(outputs[b][i]), sum, 5 * kTolerance) << to_text(isa);
        }
      }
    }
  }
}

TEST_P(LayerKernelsTest, RowDotsReadNothingBehindTheirRow) {
  const std::size_t stride = width() + 1;
  AlignedFloats weights = numbers(9 * stride);
  for (std::size_t k = 0; k < 9; ++k) {
    weights[k * stride + width()] = std::numeric_limits<float>::infinity();
  }
  const AlignedFloats row = rows(1, width()).front();
  for (const Isa isa : supported_isas()) {
    std::vector<float> outputs(9);
    layer_kernels(isa).row_dots(row.data(), width(), weights.data(), stride, 9, outputs.data());
    for (std::size_t k = 0; k < 9; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < width(); ++i) {
        sum += static_cast<double>(row[i]) * static_cast<double>(weights[k * stride + i]);
      }
      ASSERT_NEAR(static_cast<double>(outputs[k]), sum, 5 * kTolerance) << to_text(isa);
      const float dot = layer_kernels(isa).dot(row.data(), weights.data() + k * stride, width());
      ASSERT_NEAR(static_cast<double>(dot), sum, 5 * kTolerance) << to_text(isa);
    }
  }
}

TEST_P(LayerKernelsTest, ReluKeepsWhatIsNotANumberAndStopsSlopes) {
  for (const Isa isa : supported_isas()) {
    const LayerKernels& kernels = layer_kernels(isa);
    AlignedFloats weights = rows(1, width()).front();
    weights.resize(weights.size() + kRowAlignment, 0.0F);
    weights[0] = std::numeric_limits<float>::quiet_NaN();
    const LayerView layer{.weights = weights.data(),
                          .input_count = 1,
                          .width = width(),
                          .stride = stride(),
                          .scale = 1.0F,
                          .has_relu = true};
    const std::uint32_t index = 0;
    const float one = 1.0F;
    AlignedFloats units(padded(width()), 7.0F);
    kernels.sparse_forward({&index, &one, 1}, layer, units.data());
    AlignedFloats dense(padded(width()), 7.0F);
    const float* const input = &one;
    float* const output = dense.data();
    kernels.dense_forward(&input, 1, layer, &output);
    EXPECT_TRUE(std::isnan(units[0]) && std::isnan(dense[0])) << to_text(isa);
    const AlignedFloats last = rows(1, width()).front();
    AlignedFloats again(padded(width()), 7.0F);
    const float sum = kernels.unit_output({&index, &one, 1}, layer, last.data(), again.data());
    float outputs = 7.0F;
    kernels.block_outputs({{&index, &one, 1}, {layer, stride(), 1, last.data()}}, &outputs);
    EXPECT_TRUE(std::isnan(again[0]) && std::isnan(sum) && std::isnan(outputs)) << to_text(isa);
    AlignedFloats slopes = rows(1, width()).front();
    const AlignedFloats slopes_before = slopes;
    kernels.relu_backward(units.data(), 2.0F, slopes.data(), slopes.data(), width());
    for (std::size_t j = 1; j < width(); ++j) {
      ASSERT_EQ(units[j], std::max(weights[j], 0.0F));
      ASSERT_EQ(dense[j], units[j]);
      ASSERT_EQ(slopes[j], weights[j] > 0.0F ? 2.0F * slopes_before[j] : 0.0F);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, BlockKernelsTest, each_row());
INSTANTIATE_TEST_SUITE_P(Widths, LayerKernelsTest, each_row());

}  // namespace
}  // namespace handrail
