#include "handrail/oracle/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

double normal_cdf(double z) {
  return 0.5 * (1.0 + std::erf(z / std::numbers::sqrt2));
}

double normal_density(double z) {
  return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

// Not z > 0 ? z : 0, which would turn a sum that is not a number into a healthy 0.
double relu(double z) {
  return z < 0.0 ? 0.0 : z;
}

double tanh_slope(double z) {
  const double unit = std::tanh(z);
  return 1.0 - unit * unit;
}

}  // namespace

double sigmoid(double z) {
  // 1/(1 + exp(−z)) or exp(z)/(1 + exp(z)), of which neither overflows.
  const double e = std::exp(-std::abs(z));
  return (z >= 0.0 ? 1.0 : e) / (1.0 + e);
}

double softplus(double z) {
  return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

double activate(Activation activation, double z) {
  switch (activation) {
    case Activation::kRelu:
      return relu(z);
    case Activation::kSoftplus:
      return softplus(z);
    case Activation::kTanh:
      return std::tanh(z);
    case Activation::kGelu:
      return z * normal_cdf(z);
  }
  HANDRAIL_ASSERT(false);
}

double activation_slope(Activation activation, double z) {
  switch (activation) {
    case Activation::kRelu:
      return z > 0.0 ? 1.0 : 0.0;
    case Activation::kSoftplus:
      return sigmoid(z);
    case Activation::kTanh:
      return tanh_slope(z);
    case Activation::kGelu:
      return normal_cdf(z) + z * normal_density(z);
  }
  HANDRAIL_ASSERT(false);
}

void activation_forward(Activation activation, std::span<const double> sums,
                        std::span<double> units) {
  HANDRAIL_ASSERT(sums.size() == units.size());
  for (std::size_t j = 0; j < sums.size(); ++j) units[j] = activate(activation, sums[j]);
}

void activation_backward(Activation activation, std::span<const double> sums,
                         std::span<double> slopes) {
  HANDRAIL_ASSERT(sums.size() == slopes.size());
  // A slope that is not finite must not meet the 0 of a ReLU that is off.
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double slope = activation_slope(activation, sums[j]);
    slopes[j] = slope == 0.0 ? 0.0 : slopes[j] * slope;
  }
}

}  // namespace handrail
