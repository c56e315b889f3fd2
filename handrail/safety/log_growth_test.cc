#include "handrail/safety/log_growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "handrail/base/random.h"

namespace handrail {
namespace {

// A centre and a cost whose difference is exactly `gap`.
RateArray growth_at(double gap) {
  return gap >= 0.0 ? log_growth(gap, 0.0) : log_growth(0.0, -gap);
}

// |value − truth| in units of the last place of a double near `truth`.
double error_ulp(double value, long double truth) {
  int exponent = 0;
  std::frexp(truth, &exponent);
  const long double ulp = std::ldexp(1.0L, exponent - std::numeric_limits<double>::digits);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / ulp);
}

struct LargestErrors {
  double own = 0.0;
  double libm = 0.0;

  void look_at(double gap) {
    const RateArray growth = growth_at(gap);
    for (std::size_t j = 0; j < kRateCount; ++j) {
      const double u = kRates[j] * gap;
      const long double truth = std::log1p(static_cast<long double>(u));
      own = std::max(own, error_ulp(growth[j], truth));
      libm = std::max(libm, error_ulp(std::log1p(u), truth));
    }
  }
};

// The long double of x86 has 11 more bits: the truth, for this purpose.
static_assert(std::numeric_limits<long double>::digits >= 64);

// What the header says of its accuracy, on a grid that is no multiple of anything, at random gaps,
// and at small ones down to the least that two costs can have. libm's own error is measured beside
// it: if that is above the bound too, it is the measure that is broken.
TEST(LogGrowth, IsAsAccurateAsTheHeaderSays) {
  LargestErrors errors;
  constexpr int kSteps = 100'003;
  for (int i = 1; i <= kSteps; ++i) {
    errors.look_at(static_cast<double>(i) / kSteps);
    errors.look_at(-static_cast<double>(i) / kSteps);
  }
  RandomStream stream(1, Purpose::kTest, 1);
  for (int i = 0; i < 100'000; ++i) errors.look_at(stream.uniform() - stream.uniform());
  for (double gap = 1.0; gap > 0x1.0p-53; gap *= 0.75) {
    errors.look_at(gap);
    errors.look_at(-gap);
  }
  EXPECT_LE(errors.own, 0.9);
  EXPECT_LE(errors.libm, 0.9);
  RecordProperty("own_ulp", std::to_string(errors.own));
  RecordProperty("libm_ulp", std::to_string(errors.libm));
}

// Where 1 + u is brought near 1 by a power of two, by another one on each side.
TEST(LogGrowth, IsAccurateOnBothSidesOfEveryReduction) {
  LargestErrors errors;
  for (const double u : {-0.75, -0.625, -0.3125, 0.5, 0.75}) {
    for (const double rate : {kRates[0], kRates[1]}) {
      double below = u / rate;
      double above = below;
      for (int i = 0; i < 1000; ++i) {
        if (std::abs(below) <= 1.0) errors.look_at(below);
        if (std::abs(above) <= 1.0) errors.look_at(above);
        below = std::nextafter(below, -1.0);
        above = std::nextafter(above, 1.0);
      }
    }
  }
  EXPECT_LE(errors.own, 0.9);
}

// What an estimate by inverse chances can be: bounded from below only.
TEST(LogGrowth, IsAccurateForGapsFarAboveOne) {
  double largest = 0.0;
  const auto look_at = [&](double gap) {
    const RateArray growth = log_growth(gap);
    for (std::size_t j = 0; j < kRateCount; ++j) {
      const long double truth = std::log1p(static_cast<long double>(kRates[j] * gap));
      largest = std::max(largest, error_ulp(growth[j], truth));
    }
  };
  for (double gap = 1.0; gap < 1e9; gap *= 1.0003) look_at(gap);
  // Where another power of two begins, on both sides: 1 + u = 1.5 · 2^k.
  for (int k = 1; k < 30; ++k) {
    double below = (std::ldexp(1.5, k) - 1.0) / kRates[0];
    double above = below;
    for (int i = 0; i < 200 && above <= 1e9; ++i) {
      look_at(below);
      look_at(above);
      below = std::nextafter(below, 0.0);
      above = std::nextafter(above, 1e10);
    }
  }
  EXPECT_LE(largest, 0.9);
}

TEST(LogGrowth, OfAGapHasTheBitsOfThatOfCentreAndCost) {
  RandomStream stream(1, Purpose::kTest, 4);
  for (int i = 0; i < 10'000; ++i) {
    const double gap = stream.uniform() - stream.uniform();
    EXPECT_EQ(log_growth(gap), growth_at(gap));
  }
  EXPECT_EQ(log_growth(-1.0), growth_at(-1.0));
  EXPECT_EQ(log_growth(1.0), growth_at(1.0));
}

TEST(LogGrowth, IsExactlyNothingWhereTheCentreIsTheCost) {
  for (const double cost : {0.0, 0.1, 0.5, 1.0}) {
    for (const double growth : log_growth(cost, cost)) {
      EXPECT_EQ(growth, 0.0);
      EXPECT_FALSE(std::signbit(growth));
    }
  }
}

TEST(LogGrowth, HasTheSignOfTheGapAndNeverExceedsTheRateTimesIt) {
  RandomStream stream(1, Purpose::kTest, 2);
  for (int i = 0; i < 20'000; ++i) {
    const double gap = stream.uniform() - stream.uniform();
    const RateArray growth = growth_at(gap);
    for (std::size_t j = 0; j < kRateCount; ++j) {
      EXPECT_EQ(growth[j] > 0.0, gap > 0.0);
      EXPECT_LE(growth[j], kRates[j] * gap);  // log(1 + u) ≤ u
    }
  }
}

// A higher cost never adds more: the bound must not fall when a cost rises. Steps of 2^-40 are far
// above the error of the logarithm; neighbours may tie.
TEST(LogGrowth, NeverRisesWithTheCost) {
  RandomStream stream(1, Purpose::kTest, 3);
  for (int i = 0; i < 5'000; ++i) {
    const double centre = stream.uniform();
    const double cost = stream.uniform();
    const double higher = std::min(1.0, cost + 0x1.0p-40 * (1.0 + stream.uniform()));
    const RateArray low = log_growth(centre, cost);
    const RateArray high = log_growth(centre, higher);
    for (std::size_t j = 0; j < kRateCount; ++j) EXPECT_GE(low[j], high[j]);
  }
}

}  // namespace
}  // namespace handrail
