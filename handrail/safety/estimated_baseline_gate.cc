#include "handrail/safety/estimated_baseline_gate.h"

#include <array>

#include "handrail/base/assert.h"
#include "handrail/safety/certified_gate.h"

namespace handrail {
namespace {

// The most that X can fall short of its centre in one round.
double fall_of(Estimator estimator, const EstimatedBaselineConfig& config) {
  HANDRAIL_ASSERT(config.baseline_floor > 0.0);
  const double largest_weight = 1.0 + config.alpha;
  return estimator == Estimator::kIps ? largest_weight : largest_weight / config.baseline_floor;
}

}  // namespace

EstimatedBaselineGate::EstimatedBaselineGate(Estimator estimator,
                                             const EstimatedBaselineConfig& config)
    : config_(config),
      estimator_(estimator),
      costs_(config.delta.of_costs(), config.bound),
      baseline_({.estimator = estimator,
                 .fall = fall_of(estimator, config),
                 .delta = config.delta.of_baseline(),
                 .bound = config.bound}) {}

double EstimatedBaselineGate::weight_of(Choice choice) const {
  return choice == Choice::kExplore ? 1.0 + config_.alpha : config_.alpha;
}

Sides EstimatedBaselineGate::sides(const GateQuestion& /*question*/, ArmIndex /*candidate*/,
                                   Scratch& /*scratch*/) const {
  return {.exposure = certified_exposure(costs_.upper(), costs_.observed()), .allowance = earned()};
}

double EstimatedBaselineGate::baseline_centre(double predicted) const {
  return estimator_ == Estimator::kDr ? predicted : known_costs_.mean();
}

void EstimatedBaselineGate::book(const Decision& decision, bool charged) {
  if (charged) costs_.add_member(decision.centre);
  baseline_.add({.weight = weight_of(decision.choice),
                 .chance = decision.baseline_chance,
                 .centre = decision.baseline_centre,
                 .played = decision.arm == decision.baseline.arm});
}

void EstimatedBaselineGate::reveal(const Observation& observation) {
  if (observation.charged) costs_.reveal(observation.centre, observation.cost);
  if (!observation.played_baseline) return;
  baseline_.reveal({.weight = weight_of(observation.choice),
                    .chance = observation.baseline_chance,
                    .centre = observation.baseline_centre,
                    .played = true},
                   observation.cost);
  known_costs_.add(observation.cost);
}

void EstimatedBaselineGate::save(ByteWriter& out) const {
  costs_.save(out);
  baseline_.save(out);
  known_costs_.save(out);
}

Status EstimatedBaselineGate::load(ByteReader& in) {
  for (const Status& loaded : {costs_.load(in), baseline_.load(in)}) {
    if (!loaded.ok()) return loaded;
  }
  known_costs_.load(in);
  return in.status();
}

constinit const ParameterSpec kDeltaSplitRow = grouped(
    "gate", number_row("delta_split",
                       "certified-ips, certified-dr, certified-stationary: share of δ for the "
                       "bound on what exploration cost; the rest is for the baseline's cost",
                       "0.5", {.low = 1e-3, .high = 0.999}));

SharedDelta shared_delta_in(const PartFrame& frame) {
  return {.delta = frame.delta, .share = frame.values.number(kDeltaSplitRow)};
}

namespace {

constexpr ParameterSpec kFloorRow = grouped(
    "gate", number_row("baseline_floor",
                       "certified-ips, certified-dr: ε of p ← (1−ε)p + ε·1_b; the baseline's arm "
                       "keeps at least that chance",
                       "0.1", {.low = 1e-6, .high = 1.0}));
constexpr std::array kCommon = {&kBoundRow, &kFloorRow, &kDeltaSplitRow};
constexpr GateTraits kTraits = {
    .own_allowance = true, .certifies = true, .needs_baseline_cost = false};

template <typename Kind>
std::unique_ptr<Gate> make_from(const PartFrame& frame) {
  return std::make_unique<Kind>(
      EstimatedBaselineConfig{.alpha = frame.alpha,
                              .reserve = frame.reserve,
                              .delta = shared_delta_in(frame),
                              .bound = bound_in(frame.values),
                              .baseline_floor = frame.values.number(kFloorRow)});
}

}  // namespace

constinit const GateEntry kIpsGate = {
    .name = "certified-ips",
    .meaning = "certified where the baseline's cost is unknown, from chances alone",
    .traits = kTraits,
    .common = kCommon,
    .make = make_from<IpsGate>,
};

constinit const GateEntry kDrGate = {
    .name = "certified-dr",
    .meaning = "the same, correcting a prediction of the baseline's cost",
    .traits = kTraits,
    .common = kCommon,
    .make = make_from<DrGate>,
};

}  // namespace handrail
