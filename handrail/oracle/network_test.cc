#include "handrail/oracle/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "handrail/base/random.h"
#include "handrail/oracle/dense.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

constexpr FeatureLayout kRows{FeatureShape::kRows, 4, 1};
constexpr FeatureLayout kBlocks{FeatureShape::kBlock, 4, 3};

std::vector<double> random_values(std::uint64_t seed, std::size_t count) {
  RandomStream stream(seed, Purpose::kTest, 0);
  std::vector<double> values(count);
  for (double& value : values) value = stream.normal();
  return values;
}

// A network at a random point, biases included, and an arm in its last block.
struct Fixture {
  Fixture(const NetworkShape& shape, const FeatureLayout& layout, std::uint64_t seed)
      : network(shape, layout),
        parameters(random_values(seed, network.parameter_count())),
        features(random_values(seed + 1000, layout.feature_count)),
        trace(network.trace_size()) {}

  ArmView arm() const { return {.features = features, .block = network.block_count() - 1}; }
  double output() { return network.forward(parameters, arm(), trace); }

  std::vector<double> gradient() {
    static_cast<void>(output());
    const ArmView view = arm();
    network.backward(parameters, {&view, 1}, trace);
    std::vector<double> result(network.parameter_count(), 0.0);
    const double one = 1.0;
    network.add_gradient({&one, 1}, {&view, 1}, trace, result);
    return result;
  }

  Network network;
  std::vector<double> parameters;
  std::vector<double> features;
  std::vector<double> trace;
};

// The distance of the nearest ReLU sum from its kink.
double kink_distance(const Fixture& fixture, const std::vector<std::size_t>& widths) {
  double nearest = 1.0;
  std::size_t offset = 0;
  for (const std::size_t width : widths) {
    for (std::size_t j = 0; j < width; ++j) {
      nearest = std::min(nearest, std::abs(fixture.trace[offset + j]));
    }
    offset += 3 * width;
  }
  return nearest;
}

// Central differences in every parameter. Their error is of order h² |f'''| + 10^-16 |f| / h, some
// 10^-9 here; relative 10^-6 is far above that and far below a missing factor or a wrong index.
void expect_gradient_matches(Fixture& fixture) {
  constexpr double kStep = 1e-5;
  const std::vector<double> gradient = fixture.gradient();
  const double norm = std::sqrt(dot(gradient, gradient));
  ASSERT_GT(norm, 0.0);
  for (const Segment& segment : fixture.network.segments()) {
    for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
      const double kept = fixture.parameters[i];
      fixture.parameters[i] = kept + kStep;
      const double above = fixture.output();
      fixture.parameters[i] = kept - kStep;
      const double below = fixture.output();
      fixture.parameters[i] = kept;
      ASSERT_NEAR(gradient[i], (above - below) / (2.0 * kStep), 1e-6 * norm) << "parameter " << i;
    }
  }
}

TEST(Network, GradientAgreesWithCentralDifferences) {
  const std::vector<std::vector<std::size_t>> all_widths = {{5}, {5, 3}, {4, 6, 3}};
  int checked = 0;
  for (const auto& widths : all_widths) {
    for (int kind = 0; kind < 16; ++kind) {
      const NetworkShape shape{.widths = widths,
                               .activation = static_cast<Activation>(kind % 4),
                               .parametrisation = static_cast<Parametrisation>(kind / 4 % 2)};
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", kind " + std::to_string(kind));
        Fixture fixture(shape, kind < 8 ? kRows : kBlocks, seed);
        static_cast<void>(fixture.output());
        if (shape.activation == Activation::kRelu && kink_distance(fixture, widths) < 1e-3)
          continue;
        const std::vector<double> gradient = fixture.gradient();
        if (dot(gradient, gradient) == 0.0) continue;  // every unit is off
        expect_gradient_matches(fixture);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 130);  // of 144
}

TEST(Network, LossSlopesAgreeWithCentralDifferences) {
  constexpr double kStep = 1e-5;
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    for (const double output : {-2.0, -0.1, 0.4, 3.0}) {
      for (const double cost : {0.0, 0.3, 1.0}) {
        const double difference =
            (loss_at(loss, output + kStep, cost) - loss_at(loss, output - kStep, cost)) /
            (2.0 * kStep);
        EXPECT_NEAR(loss_slope(loss, output, cost), difference, 1e-8);
      }
    }
  }
  const double p = 1.0 / (1.0 + std::exp(-0.4));
  EXPECT_NEAR(loss_at(Loss::kLog, 0.4, 0.3), -0.3 * std::log(p) - 0.7 * std::log(1.0 - p), 1e-15);
  EXPECT_DOUBLE_EQ(loss_at(Loss::kSquare, 0.4, 1.0), 0.36);
}

TEST(Network, SquaredGradientIsThatOfTheGradient) {
  for (const Parametrisation parametrisation :
       {Parametrisation::kStandard, Parametrisation::kNtk}) {
    Fixture fixture({.widths = {5, 3}, .parametrisation = parametrisation}, kBlocks, 7);
    const std::vector<double> gradient = fixture.gradient();
    EXPECT_NEAR(fixture.network.squared_gradient(fixture.arm(), fixture.trace),
                dot(gradient, gradient), 1e-12 * dot(gradient, gradient));
  }
}

// The encoding of block features is that of a network with rows that sees the features in the
// arm's own place among zeros.
TEST(Network, BlocksEqualOneLongRowOfZerosAndFeatures) {
  Fixture block({.widths = {5, 3}}, kBlocks, 3);
  const Network dense({.widths = {5, 3}}, {FeatureShape::kRows, 12, 1});
  std::vector<double> parameters(dense.parameter_count());
  const auto from = block.network.segments();
  const auto to = dense.segments();
  for (std::size_t b = 0; b < 3; ++b) {
    std::copy_n(block.parameters.begin() + static_cast<std::ptrdiff_t>(from[b].offset), 20,
                parameters.begin() + static_cast<std::ptrdiff_t>(20 * b));
  }
  for (std::size_t i = 1; i < to.size(); ++i) {
    ASSERT_EQ(to[i].size, from[i + 2].size);
    std::ranges::copy(part(std::span(block.parameters), from[i + 2]),
                      part(std::span(parameters), to[i]).begin());
  }
  std::vector<double> row(12, 0.0);
  std::ranges::copy(block.features, row.begin() + 8);
  std::vector<double> trace(dense.trace_size());
  EXPECT_DOUBLE_EQ(block.output(), dense.forward(parameters, {.features = row}, trace));
}

TEST(Network, SegmentsBeginAtMultiplesOf128AndDoNotMeet) {
  const Network network({.widths = {50, 7}}, kBlocks);
  std::size_t end = 0;
  for (const Segment& segment : network.segments()) {
    EXPECT_EQ(segment.offset % kSegmentAlignment, 0u);
    EXPECT_GE(segment.offset, end);
    end = segment.offset + segment.size;
  }
  ASSERT_EQ(network.segments().size(), 3u + 1 + 1 + 1);
  EXPECT_EQ(network.segments()[2].size, 4u * 50);
  EXPECT_EQ(network.segments()[3].size, 50u);
  EXPECT_EQ(network.segments()[4].size, 50u * 7 + 7);
  EXPECT_EQ(network.segments()[5].size, 7u + 1);
  EXPECT_EQ(network.segments()[5].layer, 2u);
}

TEST(Network, ABlocksInitialWeightsDoNotDependOnTheNumberOfBlocks) {
  const NetworkShape shape{.widths = {50, 7}};
  const Network few(shape, {FeatureShape::kBlock, 4, 2});
  const Network many(shape, {FeatureShape::kBlock, 4, 9});
  const std::vector<double> a = few.initial_parameters(5);
  const std::vector<double> b = many.initial_parameters(5);
  for (std::size_t i = 0; i < few.segments().size(); ++i) {
    const std::size_t other = i < 2 ? i : i + 7;
    EXPECT_TRUE(std::ranges::equal(part(std::span(a), few.segments()[i]),
                                   part(std::span(b), many.segments()[other])));
  }
  EXPECT_NE(b[many.segments()[0].offset], b[many.segments()[1].offset]);
}

// 40 000 normals each: their variance is within 4.2 % of its mean with chance 1 − 3e-9 (six
// standard errors, √(2/n) each).
TEST(Network, StartsFromTheNamedDistributions) {
  const FeatureLayout layout{FeatureShape::kRows, 200, 1};
  const auto variance = [](std::span<const double> values) {
    return dot(values, values) / static_cast<double>(values.size());
  };
  const Network standard({.widths = {200, 200}}, layout);
  const std::vector<double> a = standard.initial_parameters(1);
  const auto segments = standard.segments();
  EXPECT_NEAR(variance(part(std::span(a), segments[0])), 2.0 / 200, 0.042 * 2.0 / 200);
  const auto second = part(std::span(a), segments[2]);
  EXPECT_NEAR(variance(second.first(40'000)), 2.0 / 200, 0.042 * 2.0 / 200);
  EXPECT_TRUE(std::ranges::all_of(second.last(200), [](double bias) { return bias == 0.0; }));
  EXPECT_TRUE(
      std::ranges::all_of(part(std::span(a), segments[1]), [](double b) { return b == 0; }));

  const Network ntk(
      {.widths = {200, 200}, .parametrisation = Parametrisation::kNtk, .sigma_1 = 3.0}, layout);
  const std::vector<double> b = ntk.initial_parameters(1);
  const double sigma_0 = 3.0 / (2.0 * (1.0 + std::sqrt(std::log(200.0)) / std::sqrt(400.0)));
  for (const std::size_t layer : {0u, 1u}) {
    EXPECT_EQ(ntk.segments()[layer].size, 40'000u);
    EXPECT_NEAR(variance(part(std::span(b), ntk.segments()[layer])), sigma_0 * sigma_0,
                0.042 * sigma_0 * sigma_0);
  }
  const auto output = part(std::span(b), ntk.segments()[2]);
  ASSERT_EQ(output.size(), 200u);
  EXPECT_NEAR(dot(output, output), 1.0, 1e-12);
}

}  // namespace
}  // namespace handrail
