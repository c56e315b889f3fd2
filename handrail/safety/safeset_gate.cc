#include "handrail/safety/safeset_gate.h"

#include <utility>

#include "handrail/safety/arm_bound.h"

namespace handrail {
namespace {

EllipsoidConfig with_half_delta(const SafeSetConfig& config) {
  EllipsoidConfig ellipsoid = config.ellipsoid;
  ellipsoid.delta = 0.5 * config.delta;
  return ellipsoid;
}

}  // namespace

SafeSetGate::SafeSetGate(const SafeSetConfig& config, const FeatureLayout& layout)
    : bound_(0.5 * config.delta, config.bound),
      members_(config.members),
      ellipsoid_(with_half_delta(config), layout) {}

Sides SafeSetGate::sides(const GateQuestion& question, ArmIndex candidate,
                         Scratch& /*scratch*/) const {
  const Exposure next = arm_bound(ellipsoid_, question.features->arm(candidate));
  return {.exposure = {.value = bound_.upper() + next.value,
                       .margin = bound_.upper() - bound_.observed() + next.margin},
          .allowance = question.allowance};
}

void SafeSetGate::reveal(const Revelation& revelation) {
  const Observation& observation = revelation.observation;
  ellipsoid_.add(observation.features, observation.cost);
  if (revelation.charged) bound_.reveal(revelation.centre, observation.cost);
}

void SafeSetGate::save(ByteWriter& out) const {
  bound_.save(out);
  ellipsoid_.save(out);
}

Status SafeSetGate::load(ByteReader& in) {
  SafeSetGate loaded = *this;
  const Status bound = loaded.bound_.load(in);
  if (!bound.ok()) return bound;
  const Status ellipsoid = loaded.ellipsoid_.load(in);
  if (!ellipsoid.ok()) return ellipsoid;
  *this = std::move(loaded);
  return {};
}

}  // namespace handrail
