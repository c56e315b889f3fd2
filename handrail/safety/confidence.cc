#include "handrail/safety/confidence.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// In the order of BoundKind.
constexpr std::array<std::string_view, 2> kBoundWords = {"minimum", "mixture"};

struct LogSum {
  double value;  // log Σ_j w_j exp(λ_j (x − V) + L_j)
  double slope;  // its derivative in x
};

LogSum log_mixture(double excess, const RateArray& growth, const BoundTerms& terms) {
  RateArray exponent;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    exponent[j] = terms.log_weights[j] + kRates[j] * excess + growth[j];
  }
  const double largest = *std::max_element(exponent.begin(), exponent.end());
  double sum = 0.0;
  double weighted = 0.0;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    const double term = std::exp(exponent[j] - largest);
    sum += term;
    weighted += kRates[j] * term;
  }
  return {.value = largest + std::log(sum), .slope = weighted / sum};
}

// In halves, so that it becomes vectors: one number after the other has to wait for the last.
double least_of(RateArray values) {
  std::size_t count = kRateCount;
  while (count % 2 == 0) {
    count /= 2;
    for (std::size_t j = 0; j < count; ++j) values[j] = std::min(values[j], values[j + count]);
  }
  return *std::min_element(values.begin(), values.begin() + count);
}

}  // namespace

constinit const ParameterSpec kBoundRow =
    grouped("gate", word_row("bound",
                             "certified gates, safeset, checkpoint: the minimum over rates, or the "
                             "mixture, which is a little narrower and slower",
                             "minimum", kBoundWords));

BoundKind bound_in(const ParameterValues& values) {
  return values.choice<BoundKind>(kBoundRow);
}

double rate_weight(std::size_t j) {
  const auto index = static_cast<double>(j);
  return 1.0 / ((index + 1.0) * (index + 2.0));
}

BoundTerms::BoundTerms(double delta) : log_price_total(std::log(1.0 / delta)) {
  for (std::size_t j = 0; j < kRateCount; ++j) {
    log_prices[j] = std::log(1.0 / (delta * rate_weight(j)));
    log_weights[j] = std::log(rate_weight(j));
  }
}

double minimum_bound(double centre_sum, const RateArray& growth, const BoundTerms& terms) {
  RateArray excess;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    excess[j] = (terms.log_prices[j] - growth[j]) / kRates[j];
  }
  return centre_sum + least_of(excess);
}

double mixture_bound(double centre_sum, const RateArray& growth, const BoundTerms& terms) {
  // Newton from the right of the root of a convex, increasing function comes down to it and never
  // passes it, so that every iterate is a valid bound; rounding ends the descent.
  double x = minimum_bound(0.0, growth, terms);
  for (;;) {
    const LogSum mixture = log_mixture(x, growth, terms);
    const double next = x - (mixture.value - terms.log_price_total) / mixture.slope;
    if (!(next < x - 1e-13 * std::max(1.0, std::abs(x)))) return centre_sum + x;
    x = next;
  }
}

double bound_of(BoundKind kind, double centre_sum, const RateArray& growth,
                const BoundTerms& terms) {
  return kind == BoundKind::kMinimum ? minimum_bound(centre_sum, growth, terms)
                                     : mixture_bound(centre_sum, growth, terms);
}

void GrowthSums::add(double centre) {
  centre_sum += centre;
  newest_centre = centre;
  newest_growth = log_growth(centre, 1.0);
  for (std::size_t j = 0; j < kRateCount; ++j) growth[j] += newest_growth[j];
}

void GrowthSums::correct(double centre, double cost) {
  const RateArray known = log_growth(centre, cost);
  const RateArray unknown = centre == newest_centre ? newest_growth : log_growth(centre, 1.0);
  for (std::size_t j = 0; j < kRateCount; ++j) growth[j] += known[j] - unknown[j];
}

double upper_after_member(double upper, std::uint64_t member_count, double bound) {
  return std::min({upper + 1.0, static_cast<double>(member_count), bound});
}

CostBound::CostBound(double delta, BoundKind kind) : terms_(delta), kind_(kind) {
  HANDRAIL_ASSERT(delta > 0.0 && delta < 1.0);
}

void CostBound::add_member(double centre) {
  HANDRAIL_ASSERT(centre >= 0.0 && centre <= 1.0);
  sums_.add(centre);
  ++member_count_;
  observed_ += 1.0;
  upper_ = upper_after_member(upper_, member_count_,
                              bound_of(kind_, sums_.centre_sum, sums_.growth, terms_));
}

void CostBound::reveal(double centre, double cost) {
  HANDRAIL_ASSERT(cost >= 0.0 && cost <= 1.0);
  sums_.correct(centre, cost);
  observed_ += cost - 1.0;
  upper_ = std::min(upper_, bound_of(kind_, sums_.centre_sum, sums_.growth, terms_));
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
