#include "handrail/oracle/gram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

struct Estimates {
  std::vector<double> costs;
  std::vector<double> squared_norms;
};

Estimates estimate(const RegularisedGram& gram, const ArmFeatures& features) {
  Estimates out = {std::vector<double>(features.arm_count()),
                   std::vector<double>(features.arm_count())};
  gram.estimate(features, out.costs, out.squared_norms);
  return out;
}

std::string saved(const RegularisedGram& gram) {
  ByteWriter out;
  gram.save(out);
  return std::string(out.bytes());
}

// Everything that the model says, against the dense one.
void expect_same(const RegularisedGram& gram, const DenseRidge& dense, const ArmFeatures& features,
                 double tolerance) {
  const std::vector<double> theta = dense.theta();
  ASSERT_EQ(gram.coefficients().size(), theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    EXPECT_NEAR(gram.coefficients()[i], theta[i], tolerance);
  }
  EXPECT_NEAR(gram.log_det(), dense.log_det(), tolerance);
  EXPECT_NEAR(gram.ridge_minimum(), dense.minimum(), tolerance);
  const Estimates estimates = estimate(gram, features);
  std::vector<double> sum(dense.size, 0.0);
  for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
    const std::vector<double> phi = stacked(features.arm(arm), gram.layout());
    EXPECT_NEAR(estimates.costs[arm], inner(phi, theta), tolerance);
    EXPECT_NEAR(estimates.squared_norms[arm], dense.squared_norm(phi), tolerance);
    const LinearEstimate alone = gram.estimate_arm(features.arm(arm));
    EXPECT_NEAR(alone.cost, estimates.costs[arm], tolerance);
    EXPECT_EQ(alone.squared_norm, estimates.squared_norms[arm]);
    std::vector<double> twice = phi;
    add_scaled(features.arm(arm), -2.0, twice);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      EXPECT_EQ(twice[i], -phi[i]);
      sum[i] += phi[i];
    }
  }
  const LinearEstimate of_sum = gram.estimate_stacked(sum);
  EXPECT_NEAR(of_sum.cost, inner(sum, theta), tolerance);
  EXPECT_NEAR(of_sum.squared_norm, dense.squared_norm(sum), tolerance);
}

TEST(RegularisedGram, BlocksAreTheDenseModelOfStackedVectors) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    const FeatureLayout layout = {FeatureShape::kBlock, 1 + stream.below(4), 1 + stream.below(4)};
    const double lambda = 0.1 + stream.uniform();
    RegularisedGram gram(layout, lambda);
    DenseRidge dense = {.lambda = lambda, .size = layout.feature_count * layout.block_count};
    std::vector<double> row;
    for (int t = 0; t < 40; ++t) {
      row = random_row(stream, layout.feature_count);
      const ArmFeatures features = ArmFeatures::block(row, layout.block_count);
      const ArmView arm = features.arm(static_cast<ArmIndex>(stream.below(layout.block_count)));
      const double cost = stream.uniform();
      gram.add(arm, cost);
      dense.add(stacked(arm, layout), cost);
    }
    expect_same(gram, dense, ArmFeatures::block(row, layout.block_count), 1e-9);
  }
}

// More arms than are summed together, and not a multiple of them.
TEST(RegularisedGram, RowsAreTheDenseModel) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 2);
    const std::size_t size = 1 + stream.below(5);
    RegularisedGram gram({FeatureShape::kRows, size, 1}, 0.5);
    DenseRidge dense = {.lambda = 0.5, .size = size};
    std::vector<double> values;
    for (int t = 0; t < 19; ++t) {
      std::vector<double> row = random_row(stream, size);
      if (t % 3 == 0) row[0] = 0.0;
      values.insert(values.end(), row.begin(), row.end());
      const double cost = stream.uniform();
      gram.add({.features = row}, cost);
      dense.add(row, cost);
    }
    expect_same(gram, dense, ArmFeatures::rows(values, size), 1e-9);
  }
}

// Refactorised after 1000 and 2000 updates of a block, and 500 rank-one updates away from that.
TEST(RegularisedGram, RankOneUpdatesAgreeWithTheFactorisation) {
  RandomStream stream(1, Purpose::kTest, 3);
  const FeatureLayout layout = {FeatureShape::kBlock, 4, 2};
  RegularisedGram gram(layout, 1.0);
  DenseRidge dense = {.lambda = 1.0, .size = 8};
  for (int t = 1; t <= 4000; ++t) {
    const std::vector<double> row = random_row(stream, layout.feature_count);
    const ArmFeatures features = ArmFeatures::block(row, 2);
    const ArmView arm = features.arm(t % 8 < 5 ? 0 : 1);
    const double cost = stream.uniform();
    gram.add(arm, cost);
    dense.add(stacked(arm, layout), cost);
    if (t % 400 == 0 || t == 1599 || t == 1601) {
      SCOPED_TRACE(t);
      expect_same(gram, dense, features, 1e-9);
    }
  }
}

TEST(RegularisedGram, AddReturnsWhatWasEstimatedBefore) {
  const std::vector<double> row = {0.6, 0.8};
  RegularisedGram gram({FeatureShape::kRows, 2, 1}, 1.0);
  gram.add({.features = row}, 1.0);
  const Estimates before = estimate(gram, ArmFeatures::rows(row, 2));
  const LinearEstimate returned = gram.add({.features = row}, 1.0);
  EXPECT_EQ(returned.cost, before.costs[0]);
  EXPECT_NEAR(returned.squared_norm, before.squared_norms[0], 1e-15);
  EXPECT_NEAR(returned.cost, 0.5, 1e-15);
  EXPECT_NEAR(returned.squared_norm, 0.5, 1e-15);
}

// So that what is learned does not depend on how many arms were looked at together.
TEST(RegularisedGram, EstimatesAnArmAloneAsAmongOthers) {
  RandomStream stream(4, Purpose::kTest, 4);
  RegularisedGram gram({FeatureShape::kRows, 7, 1}, 1.0);
  std::vector<double> values;
  for (int t = 0; t < 21; ++t) {
    const std::vector<double> row = random_row(stream, 7);
    gram.add({.features = row}, stream.uniform());
    values.insert(values.end(), row.begin(), row.end());
  }
  const Estimates together = estimate(gram, ArmFeatures::rows(values, 7));
  for (std::size_t arm = 0; arm < 21; ++arm) {
    const auto row = std::span(values).subspan(arm * 7, 7);
    const Estimates alone = estimate(gram, ArmFeatures::rows(row, 7));
    EXPECT_EQ(alone.costs[0], together.costs[arm]);
    EXPECT_EQ(alone.squared_norms[0], together.squared_norms[arm]);
  }
}

// 1e5 is the longest arm that is learned from at λ = 1. Beyond, and up to what overflows when
// squared, the model stays as it was and nothing turns into NaN.
TEST(RegularisedGram, LeavesOutArmsThatAreTooLong) {
  RegularisedGram gram({FeatureShape::kRows, 2, 1}, 1.0);
  gram.add({.features = std::vector<double>{0.6, 0.8}}, 0.5);
  const auto theta = gram.coefficients();
  const std::vector<double> before(theta.begin(), theta.end());
  for (const double length : {1.1e5, 1e100, 1e300, std::numeric_limits<double>::max()}) {
    const std::vector<double> row = {length, -length};
    EXPECT_FALSE(gram.learnable({.features = row}));
    EXPECT_EQ(gram.add({.features = row}, 1.0).cost, 1.0);  // expensive, beyond doubt
    const Estimates estimates = estimate(gram, ArmFeatures::rows(row, 2));
    EXPECT_EQ(estimates.costs[0], 1.0);
    EXPECT_EQ(estimates.squared_norms[0], 0.0);
    const LinearEstimate as_sum = gram.estimate_stacked(row);
    EXPECT_TRUE(std::isfinite(as_sum.cost));
    EXPECT_GE(as_sum.squared_norm, 0.5 * length);
    EXPECT_EQ(gram.estimate_arm({.features = row}).squared_norm, as_sum.squared_norm);
    EXPECT_EQ(gram.estimate_arm({.features = row}).cost, as_sum.cost);
  }
  EXPECT_EQ(gram.ignored_count(), 4u);
  EXPECT_EQ(gram.log_det(), std::log1p(1.0));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), gram.coefficients().begin()));
}

TEST(RegularisedGram, StaysSoundOnTheLongestArms) {
  RandomStream stream(5, Purpose::kTest, 5);
  RegularisedGram gram({FeatureShape::kRows, 3, 1}, 1.0);
  std::vector<double> row;
  for (int t = 0; t < 5000; ++t) {
    row = random_row(stream, 3);
    for (double& value : row) value *= 0.99e5;
    const LinearEstimate before = gram.add({.features = row}, stream.uniform());
    ASSERT_TRUE(std::isfinite(before.cost)) << t;
    ASSERT_GE(before.squared_norm, 0.0) << t;
    ASSERT_LE(before.squared_norm, t > 100 ? 1.0 : 1e11) << t;  // about 3/t
  }
  EXPECT_EQ(gram.ignored_count(), 0u);
}

TEST(RegularisedGram, LoadsOnlyWhatBelongsToIt) {
  RegularisedGram gram({FeatureShape::kRows, 2, 1}, 1.0);
  gram.add({.features = std::vector<double>{0.6, 0.8}}, 0.5);
  const std::string bytes = saved(gram);

  RegularisedGram other_lambda({FeatureShape::kRows, 2, 1}, 2.0);
  ByteReader first(bytes);
  const Status lambda = other_lambda.load(first);
  ASSERT_FALSE(lambda.ok());
  EXPECT_EQ(lambda.error().message, "byte 8: was saved with another lambda");

  RegularisedGram other_layout({FeatureShape::kRows, 3, 1}, 1.0);
  const std::string untouched = saved(other_layout);
  ByteReader second(bytes);
  EXPECT_FALSE(other_layout.load(second).ok());
  EXPECT_EQ(saved(other_layout), untouched);
}

TEST(ParameterRadius, GrowsWithTheBlocksUnlessGiven) {
  EXPECT_EQ(parameter_radius(std::nullopt, {FeatureShape::kRows, 5, 1}), 1.0);
  EXPECT_EQ(parameter_radius(std::nullopt, {FeatureShape::kBlock, 5, 9}), 3.0);
  EXPECT_EQ(parameter_radius(2.5, {FeatureShape::kBlock, 5, 9}), 2.5);
}

}  // namespace
}  // namespace handrail
