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

void relu_forward(std::span<const double> sums, std::span<double> units) {
  // Not z > 0 ? z : 0, which would turn a sum that is not a number into a healthy 0.
  for (std::size_t j = 0; j < sums.size(); ++j) units[j] = sums[j] < 0.0 ? 0.0 : sums[j];
}

void relu_backward(std::span<const double> sums, std::span<double> slopes) {
  for (std::size_t j = 0; j < sums.size(); ++j) slopes[j] = sums[j] > 0.0 ? slopes[j] : 0.0;
}

void softplus_forward(std::span<const double> sums, std::span<double> units) {
  for (std::size_t j = 0; j < sums.size(); ++j) units[j] = softplus(sums[j]);
}

void softplus_backward(std::span<const double> sums, std::span<double> slopes) {
  for (std::size_t j = 0; j < sums.size(); ++j) slopes[j] *= sigmoid(sums[j]);
}

void tanh_forward(std::span<const double> sums, std::span<double> units) {
  for (std::size_t j = 0; j < sums.size(); ++j) units[j] = std::tanh(sums[j]);
}

void tanh_backward(std::span<const double> sums, std::span<double> slopes) {
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double unit = std::tanh(sums[j]);
    slopes[j] *= 1.0 - unit * unit;
  }
}

void gelu_forward(std::span<const double> sums, std::span<double> units) {
  for (std::size_t j = 0; j < sums.size(); ++j) units[j] = sums[j] * normal_cdf(sums[j]);
}

void gelu_backward(std::span<const double> sums, std::span<double> slopes) {
  for (std::size_t j = 0; j < sums.size(); ++j) {
    slopes[j] *= normal_cdf(sums[j]) + sums[j] * normal_density(sums[j]);
  }
}

}  // namespace

double sigmoid(double z) {
  if (z >= 0.0) return 1.0 / (1.0 + std::exp(-z));
  const double e = std::exp(z);
  return e / (1.0 + e);
}

double softplus(double z) {
  return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

void activation_forward(Activation activation, std::span<const double> sums,
                        std::span<double> units) {
  HANDRAIL_ASSERT(sums.size() == units.size());
  switch (activation) {
    case Activation::kRelu:
      return relu_forward(sums, units);
    case Activation::kSoftplus:
      return softplus_forward(sums, units);
    case Activation::kTanh:
      return tanh_forward(sums, units);
    case Activation::kGelu:
      return gelu_forward(sums, units);
  }
}

void activation_backward(Activation activation, std::span<const double> sums,
                         std::span<double> slopes) {
  HANDRAIL_ASSERT(sums.size() == slopes.size());
  switch (activation) {
    case Activation::kRelu:
      return relu_backward(sums, slopes);
    case Activation::kSoftplus:
      return softplus_backward(sums, slopes);
    case Activation::kTanh:
      return tanh_backward(sums, slopes);
    case Activation::kGelu:
      return gelu_backward(sums, slopes);
  }
}

}  // namespace handrail
