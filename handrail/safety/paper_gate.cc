#include "handrail/safety/paper_gate.h"

#include <cmath>

namespace handrail {

double paper_margin(const PaperGateConfig& config, std::uint64_t explored, double regret_bound) {
  const bool with_this_round = config.margin_rounds == MarginRounds::kMPlusOne;
  const double m = static_cast<double>(explored) + (with_this_round ? 1.0 : 0.0);
  // The safety condition says log(4/δ), the proofs log(2/δ), Algorithm 2 nothing. We take the first
  // for both algorithms.
  return config.margin_scale * std::sqrt(m * (regret_bound + std::log(4.0 / config.delta)));
}

Exposure paper_exposure(const PaperGateConfig& config, const PredictedSums& sums,
                        double candidate_cost, double regret_bound) {
  const double margin = paper_margin(config, sums.explored, regret_bound);
  return {.value = candidate_cost + sums.predicted_cost + margin, .margin = margin};
}

Exposure PaperGate::exposure(double candidate_cost, double regret_bound) const {
  return paper_exposure(config_, sums_, candidate_cost, regret_bound);
}

}  // namespace handrail
