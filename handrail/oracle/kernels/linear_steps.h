// What the linear oracle computes once an update, in plain numbers whatever the instruction set.
#pragma once

#include <cmath>

namespace handrail {

// What one pass over an example finds.
struct Measured {
  double cost;
  double raw;      // ŷ
  double norm;     // Σ x²/s²
  double largest;  // of |x|/s
};

// (1 − exp(−z))/z for z ≥ 0: the mean of exp(−t) over t in [0, z].
inline double decay_mean(double z) {
  // From here on the difference keeps all but a few bits.
  constexpr double kSeriesEnd = 0.125;
  if (z > kSeriesEnd) return (1.0 - std::exp(-z)) / z;
  // 1 − z/2 + z²/6 − …, whose next term is below 2^-53; in pairs, which need not wait for another.
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double low = (1.0 - z / 2.0) + z2 * (1.0 / 6.0 - z / 24.0);
  const double middle = (1.0 / 120.0 - z / 720.0) + z2 * (1.0 / 5040.0 - z / 40320.0);
  return low + z4 * (middle + z4 / 362880.0);
}

// −∞ and ∞ at the ends.
inline double logit(double probability) {
  return std::log(probability) - std::log1p(-probability);
}

}  // namespace handrail
