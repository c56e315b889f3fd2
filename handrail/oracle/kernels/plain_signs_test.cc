#include "handrail/oracle/kernels/plain_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "handrail/base/random.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kBlocks;

constexpr std::size_t kInputs = 40;
constexpr std::size_t kCopies = 10;
constexpr std::size_t kBlock = 2;

// A plain network with signs, an arm of it, and what the signs make of that by loops in double.
class PlainSignsTest : public testing::TestWithParam<std::tuple<Parametrisation, std::size_t>> {
 protected:
  std::size_t width() const { return std::get<1>(GetParam()); }
  std::size_t output_count() const { return width() + (network_.has_biases() ? 1 : 0); }

  AlignedFloats draw(std::size_t count) {
    AlignedFloats row(padded(count) + kRowAlignment, 0.0F);
    for (std::size_t i = 0; i < count; ++i) row[i] = static_cast<float>(stream_.normal());
    return row;
  }
  void look_up(PlainSigns& plain) const {
    plain.look_up(kBlock, {indices_.data(), features_.data(), kInputs}, due_,
                  network_.has_biases() ? biases_.data() : nullptr);
  }
  // ⟨x, ε⟩ of a copy and a unit.
  double dot(std::size_t copy, std::size_t unit) const {
    const auto& layer = network_.hidden_layers()[0];
    double sum = network_.has_biases() ? signs_.sign(copy, layer.biases + unit) : 0.0;
    for (std::size_t i = 0; i < kInputs; ++i) {
      const std::size_t weight =
          layer.weights + kBlock * network_.block_stride() + i * width() + unit;
      sum += static_cast<double>(features_[i]) * signs_.sign(copy, weight);
    }
    return sum;
  }
  double output_sign(std::size_t copy, std::size_t unit) const {
    return signs_.sign(copy, network_.output_offset(0) + unit);
  }

  Network network_{{.widths = {width()},
                    .parametrisation = std::get<0>(GetParam()),
                    .own_layer = OwnLayer::kFirst},
                   {FeatureShape::kBlock, kInputs, kBlock + 1}};
  SignTable signs_ = SignTable::draw(5, kCopies, network_.parameter_count());
  RandomStream stream_{9, Purpose::kTest, 0};
  AlignedFloats features_ = draw(kInputs);
  AlignedFloats biases_ = draw(width());
  std::vector<std::uint32_t> indices_ = std::vector<std::uint32_t>(kInputs);
  std::vector<double> due_ = std::vector<double>(kCopies);

  void SetUp() override {
    std::iota(indices_.begin(), indices_.end(), 0U);
    for (double& number : due_) number = 1e-3 * stream_.normal();
  }
};

TEST_P(PlainSignsTest, StartsWithWhatTheWeightsLack) {
  for (const Isa isa : supported_isas()) {
    PlainSigns plain(signs_, network_, isa);
    look_up(plain);
    for (std::size_t j = 0; j < width(); ++j) {
      double sum = network_.has_biases() ? static_cast<double>(biases_[j]) : 0.0;
      for (std::size_t s = 0; s < kCopies; ++s) sum += due_[s] * dot(s, j);
      ASSERT_NEAR(static_cast<double>(plain.start()[j]), sum, 1e-5) << to_text(isa);
    }
  }
}

// To some 2^-19 of the sizes of 16 features for each of up to 300 units, with SSE4 and AVX2.
TEST_P(PlainSignsTest, MeasuresGradientsAlongTheSigns) {
  const AlignedFloats output_weights = draw(width());
  AlignedFloats units = draw(width());
  for (float& unit : units) unit = std::max(unit, 0.0F);
  const PlainExample example{.row = {}, .units = units.data(), .top = 0.5F, .slope = 0.25F};
  for (const Isa isa : supported_isas()) {
    PlainSigns plain(signs_, network_, isa);
    look_up(plain);
    const std::span<const float> along = plain.along_signs(example, output_weights.data());
    for (std::size_t s = 0; s < kCopies; ++s) {
      double sum = network_.has_biases() ? 0.5 * output_sign(s, width()) : 0.0;
      for (std::size_t j = 0; j < width(); ++j) {
        const double slope = units[j] > 0.0F ? 0.25 * static_cast<double>(output_weights[j]) : 0.0;
        sum += slope * dot(s, j) + 0.5 * static_cast<double>(units[j]) * output_sign(s, j);
      }
      ASSERT_NEAR(static_cast<double>(along[s]), sum, 5e-3) << to_text(isa);
    }
  }
}

TEST_P(PlainSignsTest, AddsToTheOutputsAndToNothingBehindThem) {
  for (const Isa isa : supported_isas()) {
    PlainSigns plain(signs_, network_, isa);
    AlignedFloats outputs = draw(output_count());
    const AlignedFloats before = outputs;
    plain.add_to_outputs(due_, outputs.data());
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      double sum = static_cast<double>(before[j]);
      for (std::size_t s = 0; j < output_count() && s < kCopies; ++s) {
        sum += due_[s] * output_sign(s, j);
      }
      ASSERT_NEAR(static_cast<double>(outputs[j]), sum, 1e-6) << to_text(isa);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, PlainSignsTest,
                         testing::Combine(testing::Values(Parametrisation::kStandard,
                                                          Parametrisation::kNtk),
                                          testing::Values(1, 7, 20, 100, 128, 300)));

// What is too little for a weight to show must not be lost one copy at a time.
TEST(PlainSigns, AddsSmallNumbersOfManyCopiesAtOnce) {
  const Network network({.widths = {20}, .own_layer = OwnLayer::kFirst}, kBlocks);
  // Sixteen copies with the same signs.
  std::vector<std::uint64_t> words(16 * network.parameter_count() / 64, ~std::uint64_t{0});
  const SignTable signs(16, words);
  for (const Isa isa : supported_isas()) {
    PlainSigns plain(signs, network, isa);
    AlignedFloats outputs(21 + kRowAlignment, 1.0F);
    plain.add_to_outputs(std::vector<double>(16, 0x1p-26), outputs.data());
    for (std::size_t j = 0; j < 21; ++j) EXPECT_EQ(outputs[j], 1.0F + 0x1p-22F) << to_text(isa);
  }
}

}  // namespace
}  // namespace handrail
