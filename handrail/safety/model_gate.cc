#include "handrail/safety/model_gate.h"

#include <array>
#include <cmath>

#include "handrail/oracle/learning_parameters.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/regret_bound.h"

namespace handrail {

double square_loss_margin(std::uint64_t explored, double regret_bound, double delta) {
  return std::sqrt(2.0 * static_cast<double>(explored) * (regret_bound + std::log(1.0 / delta)));
}

double log_loss_margin(double predicted_cost_sum, double regret_bound, double delta) {
  // (√Ŷ + √D)² − Ŷ
  const double d = regret_bound + 2.0 * std::log(1.0 / delta);
  return 2.0 * std::sqrt(predicted_cost_sum * d) + d;
}

Exposure model_exposure(const ModelGateConfig& config, const PredictedSums& sums,
                        double regret_bound) {
  const double margin = config.loss == Loss::kSquare
                            ? square_loss_margin(sums.explored, regret_bound, config.delta)
                            : log_loss_margin(sums.predicted_cost, regret_bound, config.delta);
  return {.value = sums.predicted_cost + margin + kCostCap, .margin = margin};
}

Exposure ModelGate::exposure(double regret_bound) const {
  return model_exposure(config_, sums_, regret_bound);
}

namespace {

constexpr std::array kCommon = {&kRegretBoundRow};

Status check_promise(const LearnerTraits& learner, const ParameterValues& values) {
  if (learner.promises_regret || given_regret_bound(values).has_value()) return {};
  return Error{
      "gate=model needs a regret bound: oracle=ridge promises one, or give regret_bound=NUMBER if "
      "you can vouch for it"};
}

}  // namespace

constinit const GateEntry kModelGate = {
    .name = "model",
    .meaning = "tight, for a trusted model with a regret bound",
    .traits = {.reads_costs = true, .uses_regret_bound = true},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<ModelGate>(
          ModelGateConfig{.loss = loss_in(frame.values), .delta = frame.delta});
    },
    .suits = check_promise,
};

}  // namespace handrail
