#include "handrail/eval/metrics.h"

#include <algorithm>
#include <cmath>

namespace handrail {
namespace {

// A run that sits exactly on the constraint must not be convicted by the rounding of its own sums.
// This is a tolerance of a metric, looked at after the fact; no gate has one.
constexpr double kRounding = 1e-9;

}  // namespace

void Metrics::add(const PlayedRound& round) {
  const bool explored = round.choice == Choice::kExplore;
  ++(explored ? explored_ : baseline_played_);
  regret_ += round.expected_cost - round.best_cost;
  cost_sum_ += round.expected_cost;
  charged_sum_ += explored ? round.expected_cost : round.baseline_cost;
  baseline_cost_sum_ += round.baseline_cost;

  const double limit = (1.0 + alpha_) * baseline_cost_sum_ + reserve_;
  const double excess = charged_sum_ - limit;
  largest_excess_ = std::max(largest_excess_, excess);
  if (excess <= kRounding * std::max(1.0, limit)) return;
  ++violated_rounds_;
  if (first_violation_ == 0) first_violation_ = rounds();
}

std::optional<std::uint64_t> Metrics::first_violation() const {
  if (first_violation_ == 0) return std::nullopt;
  return first_violation_;
}

void Metrics::save(ByteWriter& out) const {
  out.f64(alpha_);
  out.f64(reserve_);
  out.u64(explored_);
  out.u64(baseline_played_);
  out.f64(regret_);
  out.f64(cost_sum_);
  out.f64(charged_sum_);
  out.f64(baseline_cost_sum_);
  out.u64(violated_rounds_);
  out.u64(first_violation_);
  out.f64(largest_excess_);
}

Status Metrics::load(ByteReader& in) {
  Metrics loaded(in.f64(), 0.0);
  loaded.reserve_ = in.f64();
  loaded.explored_ = in.u64();
  loaded.baseline_played_ = in.u64();
  loaded.regret_ = in.f64();
  loaded.cost_sum_ = in.f64();
  loaded.charged_sum_ = in.f64();
  loaded.baseline_cost_sum_ = in.f64();
  loaded.violated_rounds_ = in.u64();
  loaded.first_violation_ = in.u64();
  loaded.largest_excess_ = in.f64();
  const bool same_constraint = loaded.alpha_ == alpha_ && loaded.reserve_ == reserve_;
  if (!same_constraint) in.fail("holds metrics of another alpha or reserve");
  if (!loaded.consistent()) in.fail("holds metrics that no run can have");
  if (!in.status().ok()) return in.status();
  *this = loaded;
  return {};
}

bool Metrics::consistent() const {
  for (const double sum : {regret_, cost_sum_, charged_sum_, baseline_cost_sum_}) {
    if (!std::isfinite(sum)) return false;
  }
  const bool ever = violated_rounds_ > 0;
  return explored_ <= rounds() && violated_rounds_ <= rounds() && ever == (first_violation_ > 0) &&
         first_violation_ <= rounds() && !std::isnan(largest_excess_);
}

}  // namespace handrail
