#include "handrail/safety/baseline_bound.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {

double estimate_gap(Estimator estimator, const BaselineRound& round, double cost) {
  const bool ips = estimator == Estimator::kIps;
  if (!round.played) return ips ? -round.weight * round.centre : 0.0;
  return round.weight *
         (ips ? cost / round.chance - round.centre : (cost - round.centre) / round.chance);
}

BaselineBound::BaselineBound(const BaselineBoundConfig& config)
    : config_(config), terms_(config.delta) {
  HANDRAIL_ASSERT(config.delta > 0.0 && config.delta < 1.0);
  HANDRAIL_ASSERT(config.fall > 0.0);
}

RateArray BaselineBound::growth_of(const BaselineRound& round, double cost) const {
  return log_growth(estimate_gap(config_.estimator, round, cost) / config_.fall);
}

// x = Lb solves, with rates in units of 1/c, the equation of confidence.h for (V − x) / c.
double BaselineBound::current() const {
  return centre_sum_ - config_.fall * bound_of(config_.bound, 0.0, growth_, terms_);
}

void BaselineBound::add(const BaselineRound& round) {
  HANDRAIL_ASSERT(round.centre >= 0.0 && round.centre <= 1.0);
  HANDRAIL_ASSERT(round.chance > 0.0 || !round.played);
  const RateArray added = growth_of(round, 0.0);
  centre_sum_ += round.weight * round.centre;
  for (std::size_t j = 0; j < kRateCount; ++j) growth_[j] += added[j];
  lower_ = std::max(lower_, current());
}

void BaselineBound::reveal(const BaselineRound& round, double cost) {
  HANDRAIL_ASSERT(cost >= 0.0 && cost <= 1.0);
  HANDRAIL_ASSERT(round.played);
  const RateArray known = growth_of(round, cost);
  const RateArray unknown = growth_of(round, 0.0);
  for (std::size_t j = 0; j < kRateCount; ++j) growth_[j] += known[j] - unknown[j];
  lower_ = std::max(lower_, current());
}

void BaselineBound::save(ByteWriter& out) const {
  out.f64(centre_sum_);
  out.doubles(growth_);
  out.f64(lower_);
}

Status BaselineBound::load(ByteReader& in) {
  centre_sum_ = in.f64();
  in.doubles(growth_);
  lower_ = in.f64();
  return in.status();
}

}  // namespace handrail
