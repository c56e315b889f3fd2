#include "handrail/oracle/activation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace handrail {
namespace {

constexpr std::array kAll = {Activation::kRelu, Activation::kSoftplus, Activation::kTanh,
                             Activation::kGelu};

double unit(Activation activation, double sum) {
  double result = 0.0;
  activation_forward(activation, {&sum, 1}, {&result, 1});
  return result;
}

double slope(Activation activation, double sum) {
  double result = 1.0;
  activation_backward(activation, {&sum, 1}, {&result, 1});
  return result;
}

TEST(Activation, HasItsKnownValues) {
  EXPECT_EQ(unit(Activation::kRelu, -2.0), 0.0);
  EXPECT_EQ(unit(Activation::kRelu, 2.0), 2.0);
  EXPECT_NEAR(unit(Activation::kSoftplus, 0.0), std::log(2.0), 1e-15);
  EXPECT_EQ(unit(Activation::kTanh, 0.5), std::tanh(0.5));
  EXPECT_NEAR(unit(Activation::kGelu, 1.0), 0.8413447460685429, 1e-15);  // 1 · Φ(1)
}

TEST(Activation, SlopesAgreeWithCentralDifferences) {
  constexpr double kStep = 1e-5;
  for (const Activation activation : kAll) {
    for (const double sum : {-3.0, -0.7, 0.2, 1.9}) {
      const double difference =
          (unit(activation, sum + kStep) - unit(activation, sum - kStep)) / (2.0 * kStep);
      EXPECT_NEAR(slope(activation, sum), difference, 1e-9)
          << "activation " << static_cast<int>(activation) << " at " << sum;
    }
  }
}

TEST(Activation, DoesNotOverflowAndDoesNotHideWhatIsNotANumber) {
  EXPECT_EQ(sigmoid(-1e6), 0.0);
  EXPECT_EQ(sigmoid(1e6), 1.0);
  EXPECT_EQ(softplus(1e6), 1e6);
  EXPECT_EQ(softplus(-1e6), 0.0);
  for (const Activation activation : kAll) {
    EXPECT_TRUE(std::isnan(unit(activation, std::numeric_limits<double>::quiet_NaN())));
  }
}

}  // namespace
}  // namespace handrail
