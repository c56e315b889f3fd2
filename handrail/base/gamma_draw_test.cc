#include "handrail/base/gamma_draw.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

struct Moments {
  double mean = 0.0;
  double second = 0.0;  // of the draw around its shape, squared
  double share_below = 0.0;
};

Moments moments_of(double shape, double bound, std::uint64_t draws) {
  RandomStream stream(17, Purpose::kTest, 1);
  Moments sums;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double x = gamma_draw(shape, stream);
    sums.mean += x;
    sums.second += (x - shape) * (x - shape);
    sums.share_below += x <= bound ? 1.0 : 0.0;
  }
  const auto n = static_cast<double>(draws);
  return {sums.mean / n, sums.second / n, sums.share_below / n};
}

// A gamma draw of shape a has mean a, variance a, and (x − a)² has variance 2a² + 6a (its fourth
// central moment is 3a² + 6a). Chebyshev at 10^-6 allows 1000 deviations of a mean over 10^6 draws,
// that is one deviation of a single draw: too wide to say much, so the hypothesis is tested on the
// distribution function below, and this only finds gross mistakes.
TEST(GammaDraw, HasItsMeanAndVariance) {
  for (const double shape : {0.3, 6.0}) {
    const Moments found = moments_of(shape, 0.0, 1'000'000);
    EXPECT_NEAR(found.mean, shape, std::sqrt(shape));
    EXPECT_NEAR(found.second, shape, std::sqrt(2.0 * shape * shape + 6.0 * shape));
  }
}

// P(x ≤ bound) in closed form: 1 − e^−x Σ_{i<a} x^i/i! for whole a, erf(√x) for a = ½, and
// erf(√x) − 2√(x/π)e^−x for a = 3/2. By Hoeffding a share over 10^5 draws is further than 0.0086
// from its probability with a chance below 2·exp(−2·10^5·0.0086²) < 10^-6.
TEST(GammaDraw, HasItsDistributionFunction) {
  constexpr double kTolerance = 0.0086;
  constexpr std::uint64_t kDraws = 100'000;
  const double pi = std::acos(-1.0);
  for (const double x : {0.2, 1.0, 2.5}) {
    const double half = std::erf(std::sqrt(x));
    EXPECT_NEAR(moments_of(0.5, x, kDraws).share_below, half, kTolerance);
    EXPECT_NEAR(moments_of(1.0, x, kDraws).share_below, 1.0 - std::exp(-x), kTolerance);
    EXPECT_NEAR(moments_of(1.5, x, kDraws).share_below,
                half - 2.0 * std::sqrt(x / pi) * std::exp(-x), kTolerance);
  }
  for (const double x : {3.0, 6.0, 9.0}) {
    double term = 1.0;
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
      sum += term;
      term *= x / (i + 1);
    }
    EXPECT_NEAR(moments_of(6.0, x, kDraws).share_below, 1.0 - std::exp(-x) * sum, kTolerance);
  }
}

TEST(GammaDraw, IsAFunctionOfTheStream) {
  RandomStream one(3, Purpose::kTest, 5);
  RandomStream same = one;
  RandomStream other(3, Purpose::kTest, 6);
  const double first = gamma_draw(6.5, one);
  EXPECT_EQ(first, gamma_draw(6.5, same));
  EXPECT_NE(first, gamma_draw(6.5, other));
}

}  // namespace
}  // namespace handrail
