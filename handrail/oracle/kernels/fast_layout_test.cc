#include "handrail/oracle/kernels/fast_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "handrail/oracle/kernels/layer_kernels.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kBlocks;

const NetworkShape kShapes[] = {
    {.widths = {100}},
    {.widths = {9, 5}},
    {.widths = {20, 30}, .own_layer = OwnLayer::kOutput, .skip = true},
    {.widths = {12}, .parametrisation = Parametrisation::kNtk},
};

struct Case {
  NetworkShape shape;
  Isa isa;
};

// Where things lie is the same on every processor, so all sets can be asked for.
std::vector<Case> cases() {
  std::vector<Case> result;
  for (const NetworkShape& shape : kShapes) {
    for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) result.push_back({shape, isa});
  }
  return result;
}

TEST(FastLayout, HasAPlaceOfItsOwnForEachParameter) {
  for (const auto& [shape, isa] : cases()) {
    const Network network(shape, kBlocks);
    const FastLayout layout(network, isa);
    std::size_t expected = 0;
    for (const Segment& segment : network.segments()) expected += segment.size;
    std::set<std::size_t> numbers;
    std::set<std::size_t> places;
    layout.for_each_parameter([&](std::size_t number, std::size_t place) {
      numbers.insert(number);
      places.insert(place);
    });
    EXPECT_EQ(numbers.size(), expected);
    EXPECT_EQ(places.size(), expected);
    EXPECT_LE(*places.rbegin() + kRowAlignment, layout.size());
  }
}

TEST(FastLayout, GathersWhatItSpread) {
  for (const auto& [shape, isa] : cases()) {
    const Network network(shape, kBlocks);
    const FastLayout layout(network, isa);
    std::vector<double> numbers(network.parameter_count(), 0.0);
    for (const Segment& segment : network.segments()) {
      const auto all = part(std::span(numbers), segment);
      std::iota(all.begin(), all.end(), static_cast<double>(segment.offset + 1));
    }
    std::vector<double> again(numbers.size(), 0.0);
    layout.gather(layout.spread(numbers).data(), again);
    EXPECT_EQ(again, numbers);
  }
}

// Row by row what Network has there: the kernels compute addresses from these.
TEST(FastLayout, BeginsRowsWhereVectorsBegin) {
  for (const auto& [shape, isa] : cases()) {
    const Network network(shape, kBlocks);
    const FastLayout layout(network, isa);
    std::vector<std::size_t> place_of(network.parameter_count(), 0);
    layout.for_each_parameter(
        [&](std::size_t number, std::size_t place) { place_of[number] = place; });
    for (std::size_t l = 0; l < network.hidden_layers().size(); ++l) {
      const Network::HiddenLayer& layer = network.hidden_layers()[l];
      const FastLayout::Layer& fast = layout.layer(l);
      const bool is_own = l == 0 && network.has_own_first_layer();
      EXPECT_EQ(fast.stride % layout.row_alignment(), 0u);
      for (std::size_t b = 0; b < (is_own ? network.block_count() : 1); ++b) {
        for (std::size_t i = 0; i < layer.input_count; ++i) {
          const std::size_t row = fast.weights + b * layout.block_stride() + i * fast.stride;
          EXPECT_EQ(row % layout.row_alignment(), 0u);
          EXPECT_EQ(place_of[layer.weights + b * network.block_stride() + i * layer.unit_count],
                    row);
        }
      }
      if (!network.has_biases()) continue;
      EXPECT_EQ(place_of[layer.biases], fast.biases);
    }
    for (std::size_t b = 0; b < network.block_count(); ++b) {
      EXPECT_EQ(place_of[network.output_offset(b)], layout.output_offset(b));
    }
  }
}

// A network of the first-level cache is bound by the width of vectors, any other by its bytes.
TEST(FastLayout, FillsRowsUpToWholeVectorsWhereThatIsFast) {
  const auto stride = [](std::size_t feature_count, Isa isa) {
    const Network network({.widths = {100}, .own_layer = OwnLayer::kFirst},
                          {FeatureShape::kBlock, feature_count, 7});
    return FastLayout(network, isa).layer(0).stride;
  };
  EXPECT_EQ(stride(9, Isa::kAvx512), 112u);
  EXPECT_EQ(stride(9, Isa::kAvx2), 104u);
  EXPECT_EQ(stride(17, Isa::kAvx512), 104u);
}

TEST(FastLayout, ClearsWhatFillsRowsUpAndNothingElse) {
  const Network network({.widths = {9, 5}}, kBlocks);
  const FastLayout layout(network, Isa::kAvx512);
  std::vector<float> numbers(layout.size(), 0.0F);
  layout.for_each_parameter([&](std::size_t, std::size_t place) { numbers[place] = 1.0F; });
  const std::vector<float> expected = numbers;
  for (std::size_t index = 0; index < layout.segments().size(); ++index) {
    const Segment& segment = layout.segments()[index];
    float* const begin = numbers.data() + segment.offset;
    std::replace(begin, begin + segment.size, 0.0F, 7.0F);
    layout.clear_fillings(index, begin);
  }
  EXPECT_EQ(numbers, expected);
}

}  // namespace
}  // namespace handrail
