#include "handrail/safety/stationary_gate.h"

#include <algorithm>
#include <array>

#include "handrail/safety/certified_gate.h"

namespace handrail {

StationaryGate::StationaryGate(const StationaryConfig& config)
    : terms_(config.terms),
      costs_(config.delta.of_costs(), config.bound),
      baseline_({.delta = config.delta.of_baseline(), .bound = config.bound}) {}

double StationaryGate::allowance(double next) const {
  const auto open = static_cast<double>(costs_.member_count());
  const auto shut = static_cast<double>(shut_);
  return allowance_of(terms_, {.charged = open * mean_bound_, .others = shut * mean_bound_}, next);
}

Sides StationaryGate::sides(const GateQuestion& /*question*/, ArmIndex /*candidate*/,
                            Scratch& /*scratch*/) const {
  return {.exposure = certified_exposure(costs_.upper(), costs_.observed()),
          .allowance = allowance(mean_bound_)};
}

double StationaryGate::baseline_centre(double /*predicted*/) const {
  return known_costs_.mean();
}

void StationaryGate::raise_mean_bound() {
  if (shut_ == 0) return;
  mean_bound_ = std::max(mean_bound_, baseline_.lower() / static_cast<double>(shut_));
}

void StationaryGate::book(const Decision& decision, bool charged) {
  if (charged) {
    costs_.add_member(decision.centre);
    return;
  }
  baseline_.add({.centre = decision.baseline_centre});
  ++shut_;
  raise_mean_bound();
}

void StationaryGate::reveal(const Observation& observation) {
  const double cost = observation.cost;
  if (observation.charged) {
    costs_.reveal(observation.centre, cost);
    return;
  }
  baseline_.reveal({.centre = observation.baseline_centre}, cost);
  known_costs_.add(cost);
  raise_mean_bound();
}

std::optional<double> StationaryGate::slack(double /*earned*/) const {
  return allowance(0.0) - costs_.upper();
}

void StationaryGate::save(ByteWriter& out) const {
  costs_.save(out);
  baseline_.save(out);
  out.u64(shut_);
  out.f64(mean_bound_);
  known_costs_.save(out);
}

Status StationaryGate::load(ByteReader& in) {
  for (const Status& loaded : {costs_.load(in), baseline_.load(in)}) {
    if (!loaded.ok()) return loaded;
  }
  shut_ = in.u64();
  mean_bound_ = in.f64();
  known_costs_.load(in);
  return in.status();
}

namespace {

constexpr std::array kCommon = {&kBoundRow, &kDeltaSplitRow};

}  // namespace

constinit const GateEntry kStationaryGate = {
    .name = "certified-stationary",
    .meaning = "certified where the baseline's cost is unknown and its mean never changes",
    .traits = {.own_allowance = true, .certifies = true, .needs_baseline_cost = false},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<StationaryGate>(
          StationaryConfig{.terms = {.alpha = frame.alpha, .reserve = frame.reserve},
                           .delta = shared_delta_in(frame),
                           .bound = bound_in(frame.values)});
    },
};

}  // namespace handrail
