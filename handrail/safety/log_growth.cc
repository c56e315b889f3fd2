#include "handrail/safety/log_growth.h"

#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// log(1 + f) = f − (half_square − rest), by parts that are small beside f.
struct LogParts {
  double half_square;
  double rest;
};

// For f in [−0.3125, 0.5]. With s = f / (2 + f), log(1 + f) = log(1 + s) − log(1 − s) = 2s + s·R,
// where R = 2/3 s² + 2/5 s⁴ + …, and 2s = f − f·s = f − f²/2 + s·f²/2. The coefficients are those
// of the polynomial in s² that misses R by the least, 2^-61.7, over |s| ≤ 0.2.
LogParts log_parts(double f) {
  const double s = f / (2.0 + f);
  const double half_square = 0.5 * f * f;
  const double z = s * s;
  const double w = z * z;
  const double lowest = 0x1.555555555554fp-1 + z * 0x1.999999999c0f7p-2;
  const double low = 0x1.24924921ec0d4p-2 + z * 0x1.c71c7488d9210p-3;
  const double high = 0x1.745c4c7adb6f9p-3 + z * 0x1.3b358bb071eb1p-3;
  const double highest = 0x1.0dcf139a2062bp-3 + z * 0x1.1b69ed774df6fp-3;
  const double r = z * (lowest + w * (low + w * (high + w * highest)));
  return {.half_square = half_square, .rest = s * (half_square + r)};
}

double log_near_one(double u) {
  const LogParts parts = log_parts(u);
  return u - (parts.half_square - parts.rest);
}

// log(1 + u) = log(1 + f) + k·log 2, where 1 + f = (1 + u)·2^−k.
struct Reduced {
  double f;
  double k;
};

// For u > 2. The sum u + 1 − 2^k is exact, since u lies between half of 2^k − 1 and twice of it,
// and so is what it is scaled by.
Reduced reduce_large(double u) {
  int k = 0;
  const double mantissa = std::frexp(1.0 + u, &k);  // in [0.5, 1)
  if (mantissa < 0.75) --k;                         // 1 + f in [0.75, 1.5)
  const double power = std::ldexp(1.0, k);
  return {.f = (u - (power - 1.0)) / power, .k = static_cast<double>(k)};
}

// Each f is exact: in these ranges the sum needs no more bits than u has.
Reduced reduce(double u) {
  if (u > 2.0) return reduce_large(u);
  if (u >= 0.5) return {.f = 0.5 * u - 0.5, .k = 1.0};
  if (u < -0.625) return {.f = 4.0 * u + 3.0, .k = -2.0};
  if (u < -0.3125) return {.f = 2.0 * u + 1.0, .k = -1.0};
  return {.f = u, .k = 0.0};
}

// For u in [−0.75, 10⁹].
double log_one_plus(double u) {
  // log 2 in two parts. The first ends in zeros, so that k times it is exact.
  constexpr double kLogTwoHigh = 0x1.62e42feep-1;
  constexpr double kLogTwoLow = 0x1.a39ef35793c76p-33;
  const auto [f, k] = reduce(u);
  const LogParts parts = log_parts(f);
  return k * kLogTwoHigh - ((parts.half_square - (parts.rest + k * kLogTwoLow)) - f);
}

// |u| up to which no reduction is needed, and the rates that may lead beyond it if |gap| ≤ 1.
constexpr double kNearOne = 0.3125;
constexpr std::size_t kWideCount = 2;

}  // namespace

RateArray log_growth(double centre, double cost) {
  // From the third rate on |u| ≤ 0.1875, and the loop has no branches: it becomes vectors.
  static_assert(kRates[kWideCount] <= kNearOne);
  const double gap = centre - cost;
  RateArray growth;
  for (std::size_t j = 0; j < kWideCount; ++j) growth[j] = log_one_plus(kRates[j] * gap);
  for (std::size_t j = kWideCount; j < kRateCount; ++j) growth[j] = log_near_one(kRates[j] * gap);
  return growth;
}

RateArray log_growth(double gap) {
  HANDRAIL_ASSERT(kRates.front() * gap > -1.0 && gap <= 1e9);
  RateArray growth;
  std::size_t wide_count = kWideCount;
  while (wide_count < kRateCount && kRates[wide_count] * gap > kNearOne) ++wide_count;
  for (std::size_t j = 0; j < wide_count; ++j) growth[j] = log_one_plus(kRates[j] * gap);
  for (std::size_t j = wide_count; j < kRateCount; ++j) growth[j] = log_near_one(kRates[j] * gap);
  return growth;
}

}  // namespace handrail
