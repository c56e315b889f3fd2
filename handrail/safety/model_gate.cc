#include "handrail/safety/model_gate.h"

#include <cmath>

#include "handrail/safety/certified_gate.h"

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

}  // namespace handrail
