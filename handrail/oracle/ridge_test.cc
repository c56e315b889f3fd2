#include "handrail/oracle/ridge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

// A worked example in two dimensions, λ = 1, checked by hand in fractions.
constexpr std::array<std::array<double, 2>, 5> kRows = {
    {{1.0, 0.0}, {0.6, 0.8}, {0.0, 1.0}, {0.8, -0.6}, {1.0, 0.0}}};
constexpr std::array<double, 5> kCosts = {1.0, 0.0, 1.0, 0.5, 0.0};
constexpr std::array<double, 5> kForecasts = {0.0, 15.0 / 91.0, -2.0 / 25.0, 1.0 / 15.0,
                                              7.0 / 20.0};
constexpr FeatureLayout kTwoRows = {FeatureShape::kRows, 2, 1};

double predict_one(const Oracle& oracle, std::span<const double> row) {
  double cost = -1.0;
  Scratch scratch;
  oracle.predict(ArmFeatures::rows(row, row.size()), std::span(&cost, 1), scratch);
  return cost;
}

TEST(Ridge, GivesTheForecastsOfTheWorkedExample) {
  RegularisedGram gram(kTwoRows, 1.0);
  double loss = 0.0;
  for (std::size_t t = 0; t < kRows.size(); ++t) {
    const double forecast = vaw_forecast(gram.add({.features = kRows[t]}, kCosts[t]));
    EXPECT_NEAR(forecast, kForecasts[t], 1e-14);
    loss += std::pow(forecast - kCosts[t], 2);
  }
  EXPECT_NEAR(loss, 2.5038484093, 1e-10);
  EXPECT_NEAR(gram.ridge_minimum(), 1.5966666667, 1e-10);
  EXPECT_NEAR(loss - gram.ridge_minimum(), 0.9071817427, 1e-10);
  EXPECT_NEAR(gram.log_det(), 2.4849066498, 1e-10);  // log 12
}

TEST(Ridge, PredictsTheForecastClipped) {
  const auto oracle = make_ridge({}, kTwoRows);
  for (std::size_t t = 0; t < kRows.size(); ++t) {
    EXPECT_NEAR(predict_one(*oracle, kRows[t]), std::clamp(kForecasts[t], 0.0, 1.0), 1e-14);
    oracle->update({.features = kRows[t]}, kCosts[t]);
  }
}

TEST(Ridge, PromisesTheWorstCaseOrWhatHappened) {
  const auto worst = make_ridge({.lambda = 1.0, .radius = 2.0}, kTwoRows);
  const auto realised = make_ridge({.radius = 2.0, .realised_regret = true}, kTwoRows);
  EXPECT_EQ(worst->regret_bound(), 4.0);
  EXPECT_EQ(realised->regret_bound(), 4.0);
  for (std::size_t t = 0; t < kRows.size(); ++t) {
    worst->update({.features = kRows[t]}, kCosts[t]);
    realised->update({.features = kRows[t]}, kCosts[t]);
  }
  EXPECT_NEAR(*worst->regret_bound(), 4.0 + 2.4849066498, 1e-10);
  // The forecast −2/25 of a cost of 1 is clipped to 0, which saves 1.08² − 1.
  EXPECT_NEAR(*realised->regret_bound(), 4.0 + 0.9071817427 - 0.1664, 1e-10);
}

TEST(Ridge, MeetsItsOwnComparatorInEveryBlock) {
  const auto oracle = make_ridge({.lambda = 0.5}, {FeatureShape::kBlock, 3, 4});
  EXPECT_EQ(oracle->regret_bound(), 0.5 * 4.0);  // W² = K
}

// 200 streams each of random costs and of costs chosen against the prediction; features of length
// 1, or far longer, or repeated. Holds for every sequence: one failure is a bug.
TEST(Ridge, KeepsItsPromiseAgainstRandomAndAdaptiveCosts) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 10);
    const std::size_t size = 1 + stream.below(4);
    const double lambda = std::exp(4.0 * stream.uniform() - 2.0);
    const double length = seed % 5 == 0 ? 100.0 : 1.0;
    const auto worst = make_ridge({.lambda = lambda, .radius = 0.0}, {FeatureShape::kRows, size});
    const auto realised = make_ridge({.lambda = lambda, .radius = 0.0, .realised_regret = true},
                                     {FeatureShape::kRows, size});
    DenseRidge dense = {.lambda = lambda, .size = size};
    std::vector<double> row;
    double loss = 0.0;
    for (int t = 0; t < 60; ++t) {
      if (t == 0 || stream.below(3) > 0) row = random_row(stream, size);
      if (t % 7 == 0) row[stream.below(size)] = length;
      const double predicted = predict_one(*worst, row);
      const double cost = seed % 2 == 0 ? stream.uniform() : (predicted < 0.5 ? 1.0 : 0.0);
      loss += std::pow(predicted - cost, 2);
      worst->update({.features = row}, cost);
      realised->update({.features = row}, cost);
      dense.add(row, cost);
    }
    const double regret = loss - dense.minimum();
    EXPECT_LE(regret, *worst->regret_bound());
    EXPECT_NEAR(*worst->regret_bound(), std::max(1.0, dense.log_det()), 1e-9);
    EXPECT_NEAR(*realised->regret_bound(), std::max(1.0, regret), 1e-8);
  }
}

TEST(Ridge, BlocksPredictAsStackedVectors) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 11);
    const FeatureLayout layout = {FeatureShape::kBlock, 3, 4};
    const auto blocks = make_ridge({}, layout);
    const auto dense = make_ridge({}, {FeatureShape::kRows, 12, 1});
    Scratch scratch;
    for (int t = 0; t < 60; ++t) {
      const std::vector<double> row = random_row(stream, 3);
      const ArmFeatures features = ArmFeatures::block(row, 4);
      std::vector<double> costs(4);
      blocks->predict(features, costs, scratch);
      for (ArmIndex arm = 0; arm < 4; ++arm) {
        EXPECT_NEAR(costs[arm], predict_one(*dense, stacked(features.arm(arm), layout)), 1e-9);
      }
      const ArmView played = features.arm(static_cast<ArmIndex>(stream.below(4)));
      const double cost = stream.uniform();
      blocks->update(played, cost);
      dense->update({.features = stacked(played, layout)}, cost);
    }
    EXPECT_NEAR(*blocks->regret_bound() - 4.0, *dense->regret_bound() - 1.0, 1e-9);
  }
}

TEST(Ridge, ChargesItselfForWhatItCannotLearnFrom) {
  const auto oracle = make_ridge({}, kTwoRows);
  const std::vector<double> row = {1e200, 1.0};
  oracle->update({.features = row}, 1.0);
  EXPECT_EQ(oracle->regret_bound(), 2.0);
  EXPECT_EQ(predict_one(*oracle, row), 1.0);
}

}  // namespace
}  // namespace handrail
