#include "handrail/env/sphere.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/world_fixture.h"

namespace handrail {
namespace {

TEST(Sphere, ShowsUnitRowsWithAConstant) {
  const auto environment = world("linear:arms=20,dim=10");
  EXPECT_EQ(environment->layout(), (FeatureLayout{FeatureShape::kRows, 11, 1}));
  const EnvironmentRound round = round_at(*environment, 3);
  for (std::size_t arm = 0; arm < 20; ++arm) {
    EXPECT_NEAR(product_of(row(round, arm), row(round, arm)), 1.0, 1e-14);
    EXPECT_EQ(row(round, arm).back(), 1.0 / std::numbers::sqrt2);
  }
}

// x is uniform on the sphere: over 10^5 rows each coordinate has mean 0 and mean square 1/d. A
// coordinate lies in [−1, 1], its square in [0, 1]: Hoeffding at 1e-6 gives 0.0171 and 0.0086.
TEST(Sphere, DrawsContextsUniformlyOnTheSphere) {
  const auto environment = world("linear:arms=100,dim=3");
  double sum = 0.0;
  double squares = 0.0;
  EnvironmentRound round;
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    environment->fill(t, round);
    for (std::size_t arm = 0; arm < 100; ++arm) {
      const double x = row(round, arm)[1] * std::numbers::sqrt2;
      sum += x;
      squares += x * x;
    }
  }
  EXPECT_NEAR(sum / 1e5, 0.0, 0.0171);
  EXPECT_NEAR(squares / 1e5, 1.0 / 3.0, 0.0086);
}

}  // namespace
}  // namespace handrail
