// What one round adds to the logarithms of the supermartingales that the certified gates stand on,
// for all rates at once: log(1 + λ_j g), where the gap g is v − y for the bound on what members
// cost (confidence.h). The only place of that formula.
//
// The logarithm is our own: libm's takes one number at a time and would be most of what the gate
// costs. Plain sums, products and one quotient in a fixed order, so that every machine gets the
// same bits, which libm does not promise.
//
// It is off by at most 0.9 units in the last place, and by 0 where v = y; glibc's log1p is off by
// 0.85 on the same numbers (log_growth_test.cc measures both). So nothing is approximated that
// was exact before: with |g| ≤ 1 a term is off by less than 2^-52, being less than 2, so n make
// L_j off by less than n · 2^-52, beside the rounding of its own sum, which any logarithm would
// have. For a million members that is 3·10⁻¹⁰ against a log(1/δ) of 3.
#pragma once

#include <array>
#include <cstddef>

namespace handrail {

inline constexpr std::size_t kRateCount = 24;
using RateArray = std::array<double, kRateCount>;

constexpr RateArray halving_rates(double largest) {
  RateArray rates{};
  for (double& rate : rates) {
    rate = largest;
    largest *= 0.5;
  }
  return rates;
}

// λ_j = 0.75 · 2^−j: every factor 1 + λ(v − y) is at least 1/4, so nothing overflows.
inline constexpr RateArray kRates = halving_rates(0.75);

// `centre` and `cost` are in [0, 1].
RateArray log_growth(double centre, double cost);

// For a gap that is bounded from below only: from −1 to 10⁹. Where |gap| ≤ 1 it has the bits of the
// other.
RateArray log_growth(double gap);

}  // namespace handrail
