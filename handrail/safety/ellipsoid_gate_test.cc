#include "handrail/safety/ellipsoid_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

// Keeps every explored round and computes both numbers from the formulas of Kazerouni et al.
struct Model {
  DenseRidge revealed;
  std::vector<std::vector<double>> played = {};

  Exposure exposure(const std::vector<double>& candidate, const EllipsoidConfig& config) const {
    std::vector<double> z = candidate;
    for (const std::vector<double>& phi : played) {
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += phi[i];
    }
    const double estimate = inner(z, revealed.theta());
    const double beta =
        config.sigma * std::sqrt(revealed.log_det() - 2.0 * std::log(config.delta)) +
        std::sqrt(config.lambda) * *config.radius;
    const double upper = estimate + beta * std::sqrt(revealed.squared_norm(z));
    const double value = std::min(upper, static_cast<double>(played.size() + 1));
    return {.value = value, .margin = std::max(0.0, value - estimate)};
  }
};

struct Pending {
  std::vector<double> row;
  ArmIndex arm;
};

ArmView view(const std::vector<double>& row, ArmIndex arm, const FeatureLayout& layout) {
  return {.features = row, .block = layout.shape == FeatureShape::kBlock ? arm : 0};
}

void follow_the_model(std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 50);
  const bool block = seed % 2 == 0;
  const FeatureLayout layout = {block ? FeatureShape::kBlock : FeatureShape::kRows,
                                1 + stream.below(3), block ? 1 + stream.below(3) : 1};
  // With a small W and many rounds the ellipsoid binds; with a large one the cap does.
  const EllipsoidConfig config = {.lambda = 0.1 + stream.uniform(),
                                  .sigma = 0.1,
                                  .delta = 0.05,
                                  .radius = seed % 3 == 0 ? 3.0 : 0.1};
  EllipsoidGate gate(config, layout);
  Model model = {
      .revealed = {.lambda = config.lambda, .size = layout.feature_count * layout.block_count}};
  std::deque<Pending> pending;
  Scratch scratch;
  for (int t = 0; t < 60; ++t) {
    const std::vector<double> row = random_row(stream, layout.feature_count);
    const auto arm = static_cast<ArmIndex>(stream.below(layout.block_count));
    const ArmView candidate = view(row, arm, layout);
    const Exposure exposure = gate.exposure(candidate, scratch);
    const Exposure expected = model.exposure(stacked(candidate, layout), config);
    ASSERT_NEAR(exposure.value, expected.value, 1e-9) << "round " << t;
    ASSERT_NEAR(exposure.margin, expected.margin, 1e-9) << "round " << t;
    ASSERT_GE(exposure.margin, 0.0);
    if (stream.below(4) > 0) {  // admitted
      gate.book(candidate);
      model.played.push_back(stacked(candidate, layout));
      pending.push_back({row, arm});
    }
    while (!pending.empty() && stream.below(3) == 0) {  // costs arrive late, or never
      const ArmView played = view(pending.front().row, pending.front().arm, layout);
      const double cost = stream.uniform();
      gate.observe(played, cost);
      model.revealed.add(stacked(played, layout), cost);
      pending.pop_front();
    }
  }
}

TEST(EllipsoidGate, FollowsTheModel) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    follow_the_model(seed);
  }
}

TEST(EllipsoidGate, FirstRoundIsProtectedByTheCap) {
  const EllipsoidGate gate({}, {FeatureShape::kRows, 2, 1});
  Scratch scratch;
  const std::vector<double> row = {0.6, 0.8};
  const Exposure exposure = gate.exposure({.features = row}, scratch);
  EXPECT_EQ(exposure.value, 1.0);
  EXPECT_EQ(exposure.margin, 1.0);  // nothing is known: all of it is confidence
}

TEST(EllipsoidGate, ChargesWhatIsPlayedBeforeItsCostIsKnown) {
  EllipsoidGate gate({}, {FeatureShape::kRows, 2, 1});
  Scratch scratch;
  const std::vector<double> row = {0.6, 0.8};
  for (int t = 0; t < 3; ++t) gate.book({.features = row});
  EXPECT_EQ(gate.exposure({.features = row}, scratch).value, 4.0);
}

// Exploration that turns out to be free is charged its confidence only, and less than the cap.
TEST(EllipsoidGate, KnowsMoreThanTheCapOnceCostsArrive) {
  EllipsoidGate gate({.delta = 0.05, .radius = 1.0}, {FeatureShape::kRows, 1, 1});
  Scratch scratch;
  const std::vector<double> row = {1.0};
  for (int t = 0; t < 100; ++t) {
    gate.book({.features = row});
    gate.observe({.features = row}, 0.0);
  }
  const Exposure exposure = gate.exposure({.features = row}, scratch);
  const double beta = 0.5 * std::sqrt(std::log(101.0) + 2.0 * std::log(20.0)) + 1.0;
  EXPECT_NEAR(exposure.value, beta * 101.0 / std::sqrt(101.0), 1e-9);
  EXPECT_NEAR(exposure.margin, exposure.value, 1e-9);
}

// What the model cannot hold is charged the cap, never less and never NaN.
TEST(EllipsoidGate, ChargesTheCapForExtremeFeatures) {
  for (const double size : {1e10, 1e160, 1e300, 1.7e308}) {
    SCOPED_TRACE(size);
    EllipsoidGate gate({}, {FeatureShape::kRows, 2, 1});
    Scratch scratch;
    const std::vector<double> row = {size, -size};
    for (int t = 0; t < 3; ++t) {
      const Exposure exposure = gate.exposure({.features = row}, scratch);
      EXPECT_EQ(exposure.value, t + 1.0);
      EXPECT_EQ(exposure.margin, t + 1.0);
      gate.book({.features = row});
      gate.observe({.features = row}, 0.0);
    }
  }
}

TEST(EllipsoidGate, GoesOnAfterLoading) {
  const FeatureLayout layout = {FeatureShape::kBlock, 2, 2};
  EllipsoidGate gate({}, layout);
  const std::vector<double> row = {0.6, 0.8};
  gate.book({.features = row, .block = 1});
  gate.book({.features = row, .block = 0});
  gate.observe({.features = row, .block = 1}, 0.25);
  ByteWriter out;
  gate.save(out);
  EllipsoidGate copy({}, layout);
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy.load(in).ok());
  EXPECT_TRUE(in.at_end());
  ByteWriter again;
  copy.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader cut(out.bytes().substr(0, length));
    ASSERT_FALSE(copy.load(cut).ok()) << length;
  }
  Scratch scratch;
  const ArmView candidate = {.features = row, .block = 1};
  EXPECT_EQ(copy.exposure(candidate, scratch).value, gate.exposure(candidate, scratch).value);
}

}  // namespace
}  // namespace handrail
