#include "handrail/safety/confidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

struct LogSum {
  double value;  // log Σ_j w_j exp(λ_j (x − V) + L_j)
  double slope;  // its derivative in x
};

LogSum log_mixture(double excess, const RateArray& growth) {
  RateArray exponent;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    exponent[j] = std::log(rate_weight(j)) + rate(j) * excess + growth[j];
  }
  const double largest = *std::max_element(exponent.begin(), exponent.end());
  double sum = 0.0;
  double weighted = 0.0;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    const double term = std::exp(exponent[j] - largest);
    sum += term;
    weighted += rate(j) * term;
  }
  return {.value = largest + std::log(sum), .slope = weighted / sum};
}

}  // namespace

double rate(std::size_t j) {
  return std::ldexp(0.75, -static_cast<int>(j));
}

double rate_weight(std::size_t j) {
  const auto index = static_cast<double>(j);
  return 1.0 / ((index + 1.0) * (index + 2.0));
}

double log_growth(std::size_t j, double centre, double cost) {
  return std::log1p(rate(j) * (centre - cost));
}

double minimum_bound(double centre_sum, const RateArray& growth, double delta) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < kRateCount; ++j) {
    least = std::min(least, (std::log(1.0 / (delta * rate_weight(j))) - growth[j]) / rate(j));
  }
  return centre_sum + least;
}

double mixture_bound(double centre_sum, const RateArray& growth, double delta) {
  // Newton from the right of the root of a convex, increasing function comes down to it and never
  // passes it, so that every iterate is a valid bound; rounding ends the descent.
  double x = minimum_bound(0.0, growth, delta);
  for (;;) {
    const LogSum mixture = log_mixture(x, growth);
    const double next = x - (mixture.value - std::log(1.0 / delta)) / mixture.slope;
    if (!(next < x - 1e-13 * std::max(1.0, std::abs(x)))) return centre_sum + x;
    x = next;
  }
}

void GrowthSums::add(double centre) {
  centre_sum += centre;
  for (std::size_t j = 0; j < kRateCount; ++j) growth[j] += log_growth(j, centre, 1.0);
}

void GrowthSums::correct(double centre, double cost) {
  for (std::size_t j = 0; j < kRateCount; ++j) {
    growth[j] += log_growth(j, centre, cost) - log_growth(j, centre, 1.0);
  }
}

double bound_of(BoundKind kind, const GrowthSums& sums, double delta) {
  return kind == BoundKind::kMinimum ? minimum_bound(sums.centre_sum, sums.growth, delta)
                                     : mixture_bound(sums.centre_sum, sums.growth, delta);
}

double upper_after_member(double upper, std::uint64_t member_count, double bound) {
  return std::min({upper + 1.0, static_cast<double>(member_count), bound});
}

CostBound::CostBound(double delta, BoundKind kind) : delta_(delta), kind_(kind) {
  HANDRAIL_ASSERT(delta > 0.0 && delta < 1.0);
}

void CostBound::add_member(double centre) {
  HANDRAIL_ASSERT(centre >= 0.0 && centre <= 1.0);
  sums_.add(centre);
  ++member_count_;
  observed_ += 1.0;
  upper_ = upper_after_member(upper_, member_count_, bound_of(kind_, sums_, delta_));
}

void CostBound::reveal(double centre, double cost) {
  HANDRAIL_ASSERT(cost >= 0.0 && cost <= 1.0);
  sums_.correct(centre, cost);
  observed_ += cost - 1.0;
  upper_ = std::min(upper_, bound_of(kind_, sums_, delta_));
}

void CostBound::save(ByteWriter& out) const {
  out.f64(sums_.centre_sum);
  out.doubles(sums_.growth);
  out.f64(upper_);
  out.f64(observed_);
  out.u64(member_count_);
}

Status CostBound::load(ByteReader& in) {
  sums_.centre_sum = in.f64();
  in.doubles(sums_.growth);
  upper_ = in.f64();
  observed_ = in.f64();
  member_count_ = in.u64();
  return in.status();
}

}  // namespace handrail
