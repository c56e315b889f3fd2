#include "handrail/safety/estimated_baseline_gate.h"

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

void EstimatedBaselineGate::reveal(const Revelation& revelation) {
  const Observation& observation = revelation.observation;
  if (revelation.charged) costs_.reveal(revelation.centre, observation.cost);
  if (!revelation.played_baseline) return;
  baseline_.reveal({.weight = weight_of(observation.choice),
                    .chance = revelation.baseline_chance,
                    .centre = revelation.baseline_centre,
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

}  // namespace handrail
