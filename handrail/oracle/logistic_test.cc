#include "handrail/oracle/logistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

constexpr FeatureLayout kOneNumber = {FeatureShape::kRows, 1, 1};
const std::vector<double> kOne = {1.0};

double logistic(double u) {
  return 1.0 / (1.0 + std::exp(-u));
}

// J and its slope, written down again over everything that was learned.
struct Examples {
  double lambda = 1.0;
  std::vector<std::vector<double>> rows = {};
  std::vector<double> costs = {};

  double value(const std::vector<double>& theta) const {
    double sum = 0.5 * lambda * inner(theta, theta);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const double p = logistic(inner(rows[t], theta));
      sum -= costs[t] * std::log(p) + (1.0 - costs[t]) * std::log(1.0 - p);
    }
    return sum;
  }
  std::vector<double> slope(const std::vector<double>& theta) const {
    std::vector<double> sum(theta.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      sum[i] = lambda * theta[i];
      for (std::size_t t = 0; t < rows.size(); ++t) {
        sum[i] += (logistic(inner(rows[t], theta)) - costs[t]) * rows[t][i];
      }
    }
    return sum;
  }
};

std::vector<double> theta_of(const LogisticRegression& model) {
  return {model.coefficients().begin(), model.coefficients().end()};
}

// With φ = 1 and λ = 1 the minimum solves θ + Σ(σ(θ) − y) = 0; by bisection in Python
// 0.40105813754154696 for y = 1 and 0.16679520767039846 for y = 1, 1/4. The third example is no
// doubling: one Newton step from there, θ − (p − 0)/(1 + 3p(1 − p)), p = σ(θ).
TEST(LogisticRegression, FollowsAHandComputedCase) {
  LogisticRegression model({}, kOneNumber);
  EXPECT_EQ(model.predict({.features = kOne}), 0.5);
  model.add({.features = kOne}, 1.0);
  EXPECT_NEAR(model.coefficients()[0], 0.40105813754154696, 1e-12);
  model.add({.features = kOne}, 0.25);
  EXPECT_NEAR(model.coefficients()[0], 0.16679520767039846, 1e-12);
  model.add({.features = kOne}, 0.0);
  EXPECT_NEAR(model.coefficients()[0], -0.14361286157806447, 1e-9);
  model.add({.features = kOne}, 0.5);
  EXPECT_NEAR(model.coefficients()[0], -0.12508141195008021, 1e-12);
  EXPECT_NEAR(model.predict({.features = kOne}), logistic(model.coefficients()[0]), 1e-15);
}

// In one dimension, by search over a grid that is made finer around its best point.
TEST(LogisticRegression, AgreesWithASearchInOneDimension) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 70);
    Examples all = {.lambda = 0.01 + stream.uniform()};
    LogisticRegression model({.lambda = all.lambda}, kOneNumber);
    for (int t = 0; t < 16; ++t) {
      all.rows.push_back({4.0 * stream.uniform() - 2.0});
      all.costs.push_back(seed % 2 == 0 ? stream.uniform() : (stream.uniform() < 0.5 ? 0.0 : 1.0));
      model.add({.features = all.rows.back()}, all.costs.back());
    }
    double best = 0.0;
    for (double width = 20.0; width > 1e-9; width *= 0.1) {
      const double centre = best;
      for (int i = -40; i <= 40; ++i) {
        const double theta = centre + width * i / 40.0;
        if (all.value({theta}) < all.value({best})) best = theta;
      }
    }
    EXPECT_NEAR(model.coefficients()[0], best, 1e-6);  // J is flat to rounding near its minimum
  }
}

TEST(LogisticRegression, HasNoSlopeAtDoublingsAndLittleBetween) {
  for (const double lambda : {1e-3, 1.0}) {
    RandomStream stream(5, Purpose::kTest, 71);
    LogisticRegression model({.lambda = lambda}, {FeatureShape::kRows, 5, 1});
    Examples all = {.lambda = lambda};
    for (int t = 1; t <= 1024; ++t) {
      all.rows.push_back(random_row(stream, 5));
      const double chance = logistic(6.0 * all.rows.back()[0] - 1.0);
      all.costs.push_back(stream.uniform() < chance ? 1.0 : 0.0);
      model.add({.features = all.rows.back()}, all.costs.back());
      const std::vector<double> slope = all.slope(theta_of(model));
      const double length = std::sqrt(inner(slope, slope));
      const bool doubling = (t & (t - 1)) == 0;
      EXPECT_LE(length, doubling ? 1e-8 : 10.0) << t;  // at θ = 0 it is in the hundreds
    }
  }
}

TEST(LogisticRegression, BlocksAreModelsOfTheirOwn) {
  RandomStream stream(6, Purpose::kTest, 72);
  LogisticRegression both({}, {FeatureShape::kBlock, 3, 2});
  LogisticRegression first({}, {FeatureShape::kRows, 3, 1});
  LogisticRegression second({}, {FeatureShape::kRows, 3, 1});
  for (int t = 0; t < 50; ++t) {
    const std::vector<double> row = random_row(stream, 3);
    const double cost = stream.uniform();
    const std::size_t block = t % 3 == 0 ? 1 : 0;
    both.add({.features = row, .block = block}, cost);
    (block == 0 ? first : second).add({.features = row}, cost);
  }
  std::vector<double> apart = theta_of(first);
  const std::vector<double> rest = theta_of(second);
  apart.insert(apart.end(), rest.begin(), rest.end());
  EXPECT_EQ(theta_of(both), apart);
  EXPECT_EQ(both.example_count(0), first.example_count(0));
}

// The refit at the fourth example sees the last two alone.
TEST(LogisticRegression, RefitsOnTheNewestExamples) {
  LogisticRegression model({.history = 2}, kOneNumber);
  for (const double cost : {0.0, 0.0, 1.0, 0.25}) model.add({.features = kOne}, cost);
  EXPECT_NEAR(model.coefficients()[0], 0.16679520767039846, 1e-12);
}

// Separable costs, tiny λ and long features: every number stays finite.
TEST(LogisticRegression, StaysFiniteInHardCases) {
  for (const double length : {1.0, 99.0}) {
    RandomStream stream(7, Purpose::kTest, 73);
    LogisticRegression model({.lambda = 1e-6}, {FeatureShape::kRows, 3, 1});
    for (int t = 0; t < 600; ++t) {
      std::vector<double> row = random_row(stream, 3);
      for (double& value : row) value *= length;
      // The side of a line, but for a stretch of the opposite.
      const bool high = (row[0] > 0.0) != (t > 300 && t < 330);
      model.add({.features = row}, high ? 1.0 : 0.0);
      for (const double number : model.coefficients()) ASSERT_TRUE(std::isfinite(number)) << t;
      const double predicted = model.predict({.features = row});
      ASSERT_TRUE(predicted >= 0.0 && predicted <= 1.0) << t;
    }
  }
}

TEST(LogisticRegression, LoadsOnlyWhatBelongsToIt) {
  RandomStream stream(8, Purpose::kTest, 74);
  const FeatureLayout layout = {FeatureShape::kBlock, 3, 2};
  LogisticRegression model({}, layout);
  for (int t = 0; t < 11; ++t) model.add({.features = random_row(stream, 3)}, stream.uniform());
  ByteWriter out;
  model.save(out);
  LogisticRegression loaded({}, layout);
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (int t = 0; t < 9; ++t) {  // past a doubling
    const std::vector<double> row = random_row(stream, 3);
    model.add({.features = row}, 0.5);
    loaded.add({.features = row}, 0.5);
    EXPECT_EQ(theta_of(model), theta_of(loaded));
  }
  LogisticRegression other({.lambda = 2.0}, layout);
  ByteReader again(out.bytes());
  EXPECT_FALSE(other.load(again).ok());
  EXPECT_EQ(theta_of(other), std::vector<double>(6, 0.0));
}

}  // namespace
}  // namespace handrail
