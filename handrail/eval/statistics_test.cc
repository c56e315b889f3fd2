#include "handrail/eval/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace handrail {
namespace {

// From printed tables of Student's distribution.
TEST(Statistics, StudentQuantilesMatchTheTables) {
  EXPECT_NEAR(student_quantile(0.95, 1), 12.7062, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 2), 4.3027, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 4), 2.7764, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 9), 2.2622, 5e-5);
  EXPECT_NEAR(student_quantile(0.99, 10), 3.1693, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 99), 1.9842, 5e-5);
  EXPECT_NEAR(student_quantile(0.95, 100'000), 1.95999, 5e-5);
}

TEST(Statistics, MeanAndStandardError) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0};
  EXPECT_EQ(mean_of(values).mean, 2.5);
  EXPECT_NEAR(mean_of(values).standard_error, std::sqrt(5.0 / 3.0 / 4.0), 1e-15);
  EXPECT_TRUE(std::isnan(mean_of(std::vector<double>{1.0}).standard_error));
  EXPECT_FALSE(mean_interval(std::vector<double>{1.0}).has_value());
  const Interval interval = *mean_interval(values);
  EXPECT_NEAR(interval.high - 2.5, 3.182446 * std::sqrt(5.0 / 12.0), 1e-6);
  EXPECT_NEAR(interval.low + interval.high, 5.0, 1e-14);
}

TEST(Statistics, QuantilesAreLinearBetweenValues) {
  const std::vector<double> sorted = {0.0, 1.0, 4.0};
  EXPECT_EQ(quantile(sorted, 0.0), 0.0);
  EXPECT_EQ(quantile(sorted, 0.25), 0.5);
  EXPECT_EQ(quantile(sorted, 0.75), 2.5);
  EXPECT_EQ(quantile(sorted, 1.0), 4.0);
  EXPECT_EQ(quantile(std::vector<double>{7.0}, 0.3), 7.0);
}

}  // namespace
}  // namespace handrail
