#include "handrail/safety/safeset_gate.h"

#include <array>
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

void SafeSetGate::reveal(const Observation& observation) {
  ellipsoid_.add(observation.features, observation.cost);
  if (observation.charged) bound_.reveal(observation.centre, observation.cost);
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

namespace {

constexpr std::array kCommon = {&kMembersRow, &kBoundRow, &kLambdaRow, &kRadiusRow, &kSigmaRow};

}  // namespace

constinit const GateEntry kSafeSetGate = {
    .name = "safeset",
    .meaning = "for linear costs: the arms whose own bound fits what is left",
    .traits = {.reads_candidate = true,
               .selects = true,
               .reads_features = true,
               .certifies = true,
               .has_matrices = true,
               .chooses_members = true},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<SafeSetGate>(SafeSetConfig{.delta = frame.delta,
                                                         .bound = bound_in(frame.values),
                                                         .members = members_in(frame),
                                                         .ellipsoid = ellipsoid_in(frame)},
                                           frame.layout);
    },
};

}  // namespace handrail
