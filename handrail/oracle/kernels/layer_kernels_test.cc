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
  const RowEntries row{indices.data(), values.data(), values.size()};
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

// Near blocks, and blocks so far apart that few inputs of many are read ahead of need.
class BlockKernelsTest : public LayerKernelsTest {
 protected:
  static constexpr std::size_t kBlocks = 5;
  static constexpr std::size_t kBlockInputs = 48;

  // Inputs that are spread over all there are.
  static std::vector<std::uint32_t> spread(std::size_t count) {
    std::vector<std::uint32_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) {
      indices[i] = static_cast<std::uint32_t>(i * kBlockInputs / count);
    }
    return indices;
  }
  // One layer of weights, or of what lies like them.
  struct Layer {
    AlignedFloats weights;
    AlignedFloats start;
    AlignedFloats output;
  };
  Layer draw_layer(std::size_t gap) {
    Layer layer{numbers(kBlocks * (kBlockInputs * stride() + gap)), numbers(width()),
                numbers(width())};
    layer.output[width()] = std::numeric_limits<float>::quiet_NaN();  // behind the end: not read
    return layer;
  }
  BlockLayers view(const Layer& layer, std::size_t gap, float scale) const {
    return {{layer.weights.data(), layer.start.data(), kBlockInputs, width(), stride(), scale},
            kBlockInputs * stride() + gap,
            kBlocks,
            layer.output.data()};
  }
  static double unit_sum_of(const BlockPass& pass, std::size_t block, std::size_t j) {
    const LayerView& layer = pass.layers.first;
    double sum = static_cast<double>(layer.start[j]);
    for (std::size_t n = 0; n < pass.row.count; ++n) {
      const std::size_t place = block * pass.layers.stride + pass.row.indices[n] * layer.stride + j;
      sum += static_cast<double>(pass.row.values[n]) * static_cast<double>(layer.weights[place]);
    }
    return sum;
  }
  void expect_outputs(std::size_t gap, std::size_t count);
  void expect_gradients(std::size_t gap, std::size_t count);
};

void BlockKernelsTest::expect_outputs(std::size_t gap, std::size_t count) {
  const Layer layer = draw_layer(gap);
  const AlignedFloats values = numbers(count);
  const std::vector<std::uint32_t> indices = spread(count);
  const BlockPass pass{{indices.data(), values.data(), count}, view(layer, gap, 0.5F)};
  for (const Isa isa : supported_isas()) {
    std::vector<float> outputs(kBlocks);
    layer_kernels(isa).block_outputs(pass, outputs.data());
    for (std::size_t b = 0; b < kBlocks; ++b) {
      double sum = 0.0;
      for (std::size_t j = 0; j < width(); ++j) {
        sum += std::max(0.0, 0.5 * unit_sum_of(pass, b, j)) * static_cast<double>(layer.output[j]);
      }
      ASSERT_NEAR(static_cast<double>(outputs[b]), sum, 20 * kTolerance) << to_text(isa);
    }
  }
}

void BlockKernelsTest::expect_gradients(std::size_t gap, std::size_t count) {
  const Layer layer = draw_layer(gap);
  const Layer diagonal = draw_layer(gap);
  const AlignedFloats values = numbers(count);
  AlignedFloats squares = values;
  for (float& square : squares) square *= square;
  const std::vector<std::uint32_t> indices = spread(count);
  const BlockPass pass{{indices.data(), values.data(), count}, view(layer, gap, 1.0F)};
  const BlockPass squared{{indices.data(), squares.data(), count}, view(diagonal, gap, 1.0F)};
  for (const Isa isa : supported_isas()) {
    std::vector<float> outputs(kBlocks);
    std::vector<float> norms(kBlocks);
    layer_kernels(isa).block_gradients(pass, squared, {outputs.data(), norms.data()});
    for (std::size_t b = 0; b < kBlocks; ++b) {
      double output = 0.0;
      double norm = 0.0;
      double size = 0.0;
      for (std::size_t j = 0; j < width(); ++j) {
        const double unit = std::max(0.0, unit_sum_of(pass, b, j));
        const double slope = unit > 0.0 ? static_cast<double>(layer.output[j]) : 0.0;
        const double by_weights = slope * slope * unit_sum_of(squared, b, j);
        output += unit * static_cast<double>(layer.output[j]);
        norm += unit * unit * static_cast<double>(diagonal.output[j]) + by_weights;
        size += unit * unit + std::abs(by_weights);
      }
      ASSERT_NEAR(static_cast<double>(outputs[b]), output, 50 * kTolerance) << to_text(isa);
      ASSERT_NEAR(static_cast<double>(norms[b]), norm, kTolerance * (1.0 + size)) << to_text(isa);
    }
  }
}

TEST_P(BlockKernelsTest, BlockOutputsFuseReluAndOutput) {
  expect_outputs(9, kBlockInputs);
}

// So few of the inputs that they are read ahead, as many as that takes, and fewer.
TEST_P(BlockKernelsTest, FarBlocksAreTheSame) {
  constexpr std::size_t kGap = std::size_t{1} << 17;
  for (const std::size_t count :
       {kBlockInputs, std::size_t{20}, std::size_t{16}, std::size_t{15}}) {
    expect_outputs(kGap, count);
    expect_gradients(kGap, count);
  }
}

TEST_P(BlockKernelsTest, GradientsAreMeasuredByTheDiagonal) {
  expect_gradients(9, kBlockInputs);
  expect_gradients(9, 15);
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
