#include "handrail/eval/metrics.h"

#include <algorithm>
#include <cmath>

namespace handrail {
namespace {

// A run that sits exactly on the constraint must not be convicted by the rounding of its own sums.
// This is a tolerance of a metric, looked at after the fact; no gate has one.
constexpr double kRounding = 1e-9;

}  // namespace

void ConstraintWatch::add(double charged, double baseline_cost) {
  ++rounds_;
  charged_sum_ += charged;
  baseline_cost_sum_ += baseline_cost;
  const double limit = (1.0 + alpha_) * baseline_cost_sum_ + reserve_;
  const double excess = charged_sum_ - limit;
  largest_excess_ = std::max(largest_excess_, excess);
  violated_ = excess > kRounding * std::max(1.0, limit);
  if (!violated_) return;
  ++violated_rounds_;
  if (first_violation_ == 0) first_violation_ = rounds_;
}

void ConstraintWatch::save(ByteWriter& out) const {
  out.f64(alpha_);
  out.f64(reserve_);
  out.f64(charged_sum_);
  out.f64(baseline_cost_sum_);
  out.u8(violated_ ? 1 : 0);
  out.u64(violated_rounds_);
  out.u64(first_violation_);
  out.f64(largest_excess_);
}

void ConstraintWatch::load(ByteReader& in, std::uint64_t rounds) {
  const bool same_alpha = in.f64() == alpha_;
  const bool same_reserve = in.f64() == reserve_;
  if (!same_alpha || !same_reserve) in.fail("holds metrics of another alpha or reserve");
  rounds_ = rounds;
  charged_sum_ = in.f64();
  baseline_cost_sum_ = in.f64();
  violated_ = in.u8() != 0;
  violated_rounds_ = in.u64();
  first_violation_ = in.u64();
  largest_excess_ = in.f64();
  const bool ever = violated_rounds_ > 0;
  const bool possible = std::isfinite(charged_sum_) && std::isfinite(baseline_cost_sum_) &&
                        violated_rounds_ <= rounds && ever == (first_violation_ > 0) &&
                        first_violation_ <= rounds && (ever || !violated_) &&
                        !std::isnan(largest_excess_);
  if (!possible) in.fail("holds metrics that no run can have");
}

void Metrics::add(const PlayedRound& round) {
  const bool explored = round.choice == Choice::kExplore;
  ++(explored ? explored_ : baseline_played_);
  regret_ += round.expected_cost - round.best_cost;
  cost_sum_ += round.expected_cost;
  promised_.add(explored ? round.expected_cost : round.baseline_cost, round.baseline_cost);
  hindsight_.add(round.expected_cost, round.baseline_expected_cost);
}

void Metrics::save(ByteWriter& out) const {
  out.u64(explored_);
  out.u64(baseline_played_);
  out.f64(regret_);
  out.f64(cost_sum_);
  promised_.save(out);
  hindsight_.save(out);
}

Status Metrics::load(ByteReader& in) {
  Metrics loaded = *this;
  loaded.explored_ = in.u64();
  loaded.baseline_played_ = in.u64();
  loaded.regret_ = in.f64();
  loaded.cost_sum_ = in.f64();
  const bool possible = std::isfinite(loaded.regret_) && std::isfinite(loaded.cost_sum_) &&
                        loaded.explored_ <= loaded.rounds();
  if (!possible) in.fail("holds metrics that no run can have");
  loaded.promised_.load(in, loaded.rounds());
  loaded.hindsight_.load(in, loaded.rounds());
  if (!in.status().ok()) return in.status();
  *this = loaded;
  return {};
}

}  // namespace handrail
