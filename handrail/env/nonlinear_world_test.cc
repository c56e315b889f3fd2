#include "handrail/env/nonlinear_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

// The direction a is the linear world's of the same seed, whose θ can be solved for.
TEST(NonlinearWorld, FollowsItsFormulas) {
  const EnvironmentRound linear = round_at(*world("linear:arms=20,dim=10"), 7);
  const EnvironmentRound quadratic = round_at(*world("nonlinear:arms=20,dim=10"), 7);
  const EnvironmentRound cosine = round_at(*world("nonlinear:arms=20,dim=10,shape=cosine"), 7);
  EXPECT_EQ(linear.features, quadratic.features);
  for (std::size_t arm = 0; arm < 20; ++arm) {
    const double z = std::sqrt(10.0) * (2.0 * linear.expected_costs[arm] - 1.0);
    EXPECT_NEAR(quadratic.expected_costs[arm], z * z / (1.0 + z * z), 1e-12);
    EXPECT_NEAR(cosine.expected_costs[arm], 0.5 + 0.5 * std::cos(3.0 * z), 1e-12);
  }
}

// q = h/(1 − h) = xᵀAᵀAx is linear in the products x_i x_j: for d = 2, three arms give AᵀA and it
// explains the rest.
TEST(NonlinearWorld, BilinearIsAQuadraticForm) {
  const auto environment = world("nonlinear:arms=30,dim=2,shape=bilinear", 3);
  std::vector<std::vector<double>> products;
  std::vector<double> q;
  const EnvironmentRound round = round_at(*environment, 1);
  for (std::size_t arm = 0; arm < 30; ++arm) {
    const double x0 = row(round, arm)[0] * std::numbers::sqrt2;
    const double x1 = row(round, arm)[1] * std::numbers::sqrt2;
    products.push_back({x0 * x0, 2.0 * x0 * x1, x1 * x1});
    q.push_back(round.expected_costs[arm] / (1.0 - round.expected_costs[arm]));
  }
  const std::vector<double> form =
      solve({products.begin(), products.begin() + 3}, {q[0], q[1], q[2]});
  for (std::size_t arm = 3; arm < 30; ++arm)
    EXPECT_NEAR(product_of(form, products[arm]), q[arm], 1e-6);
  EXPECT_GT(form[0] * form[2] - form[1] * form[1],
            0.0);  // det(A)² of a matrix that is not singular
}

// Entries N(0, 1/d): the mean of q = |Ax|² over seeds is |x|² = 1. q has standard deviation
// √(2/d) ≤ 1/√5 for d = 10; the mean of 2000 is within 0.05 but for 5 standard deviations.
TEST(NonlinearWorld, BilinearMatrixHasUnitScale) {
  double sum = 0.0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const double h = round_at(*world("nonlinear:arms=1,shape=bilinear", seed), 1).expected_costs[0];
    sum += h / (1.0 - h);
  }
  EXPECT_NEAR(sum / 2000, 1.0, 0.05);
}

}  // namespace
}  // namespace handrail
