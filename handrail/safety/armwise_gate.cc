#include "handrail/safety/armwise_gate.h"

#include <array>

namespace handrail {

Exposure ArmwiseGate::charged_so_far() const {
  Exposure exposure;
  for (ArmIndex arm = 0; arm < accounts_.arms().size(); ++arm) {
    const auto charged = static_cast<double>(accounts_.arms()[arm].charged);
    if (charged == 0.0) continue;
    const double upper = accounts_.upper(arm);
    exposure.value += charged * upper;
    exposure.margin += charged * (upper - accounts_.mean(arm));
  }
  return exposure;
}

double ArmwiseGate::allowance(const GateQuestion& question) const {
  if (config_.baseline_known) return question.allowance;
  double allowance = config_.reserve;
  for (ArmIndex arm = 0; arm < accounts_.arms().size(); ++arm) {
    const ArmAccount& account = accounts_.arms()[arm];
    const bool is_baseline = arm == question.baseline.arm;
    const auto rounds = static_cast<double>(account.baseline_rounds + (is_baseline ? 1 : 0));
    if (rounds == 0.0) continue;
    const auto uncharged = static_cast<double>(account.plays - account.charged);
    allowance += ((1.0 + config_.alpha) * rounds - uncharged) * accounts_.lower(arm);
  }
  return allowance;
}

std::optional<Sides> ArmwiseGate::sides_before(const GateQuestion& question) const {
  return Sides{.exposure = charged_so_far(), .allowance = allowance(question)};
}

Sides ArmwiseGate::sides(const GateQuestion& question, ArmIndex candidate,
                         Scratch& /*scratch*/) const {
  Sides sides = question.before.has_value() ? *question.before : *sides_before(question);
  const double upper = accounts_.upper(candidate);
  sides.exposure.value += upper;
  sides.exposure.margin += upper - accounts_.mean(candidate);
  return sides;
}

namespace {

constexpr std::array kCommon = {&kArmWidthRow};

}  // namespace

constinit const GateEntry kArmwiseGate = {
    .name = "armwise",
    .meaning = "conservative UCB's, for arms without context",
    .traits = {.reads_candidate = true,
               .own_allowance = true,
               .needs_baseline_cost = false,
               .needs_fixed_arms = true,
               .spares_baseline_arm = true},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<ArmwiseGate>(
          ArmwiseConfig{.width = arm_width_in(frame),
                        .baseline_known = frame.baseline_known != BaselineKnown::kUnknown,
                        .alpha = frame.alpha,
                        .reserve = frame.reserve});
    },
};

}  // namespace handrail
