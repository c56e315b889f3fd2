#include "handrail/oracle/ellipsoid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

TEST(ConfidenceEllipsoid, GivesTheBetaOfTheWorkedExample) {
  ConfidenceEllipsoid ellipsoid({.lambda = 1.0, .sigma = 0.5, .delta = 0.05, .radius = 1.0},
                                {FeatureShape::kRows, 2, 1});
  EXPECT_NEAR(ellipsoid.beta(), 0.5 * std::sqrt(2.0 * std::log(20.0)) + 1.0, 1e-15);
  const std::vector<std::vector<double>> rows = {
      {1.0, 0.0}, {0.6, 0.8}, {0.0, 1.0}, {0.8, -0.6}, {1.0, 0.0}};
  for (const std::vector<double>& row : rows) ellipsoid.add({.features = row}, 0.5);  // det V = 12
  EXPECT_NEAR(ellipsoid.beta(), 2.455710, 5e-7);
}

TEST(ConfidenceEllipsoid, ScalesWithItsConfiguration) {
  const FeatureLayout blocks = {FeatureShape::kBlock, 2, 9};
  EXPECT_EQ(ConfidenceEllipsoid({.lambda = 4.0, .sigma = 0.0}, blocks).beta(), 2.0 * 3.0);
  EXPECT_EQ(ConfidenceEllipsoid({.lambda = 4.0, .sigma = 0.0, .radius = 5.0}, blocks).beta(), 10.0);
  EXPECT_NEAR(ConfidenceEllipsoid({.sigma = 2.0, .delta = 0.5, .radius = 0.0}, blocks).beta(),
              2.0 * std::sqrt(2.0 * std::log(2.0)), 1e-15);
}

// Whether θ* was ever outside in 150 rounds of costs that are 1 with probability φᵀθ*, else 0, the
// noisiest there are. The arm is the one that looks cheapest, so that the data depend on the past.
bool escapes(std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 30);
  const std::vector<double> truth = {0.3 * stream.uniform(), 0.3 * stream.uniform(),
                                     0.5 + 0.1 * stream.uniform()};
  const FeatureLayout layout = {FeatureShape::kRows, 3, 1};
  ConfidenceEllipsoid ellipsoid({.lambda = 0.01, .delta = 0.05, .radius = 1.0}, layout);
  std::vector<std::vector<double>> v(3, std::vector<double>(3, 0.0));
  for (std::size_t i = 0; i < 3; ++i) v[i][i] = 0.01;
  for (int t = 0; t < 150; ++t) {
    const std::vector<double> one = random_row(stream, 3);
    const std::vector<double> other = random_row(stream, 3);
    const auto theta = ellipsoid.gram().coefficients();
    const std::vector<double> estimate(theta.begin(), theta.end());
    const std::vector<double>& x = inner(one, estimate) <= inner(other, estimate) ? one : other;
    const double cost = stream.uniform() < inner(x, truth) ? 1.0 : 0.0;
    ellipsoid.add({.features = x}, cost);
    double distance = 0.0;  // |θ̂ − θ*|²_V
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        v[i][j] += x[i] * x[j];
        distance += (ellipsoid.gram().coefficients()[i] - truth[i]) * v[i][j] *
                    (ellipsoid.gram().coefficients()[j] - truth[j]);
      }
    }
    if (distance > ellipsoid.beta() * ellipsoid.beta()) return true;
  }
  return false;
}

// 400 seeded runs at δ = 0.05. If θ* stays inside with probability 0.95, more than 44 escapes have
// probability below 1e-6, so a failure here is a bug and not bad luck.
TEST(ConfidenceEllipsoid, CoversTheTruthOnLinearData) {
  int escape_count = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) escape_count += escapes(seed) ? 1 : 0;
  RecordProperty("escapes", escape_count);
  EXPECT_LE(escape_count, 44);
}

}  // namespace
}  // namespace handrail
