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

Exposure PaperGate::exposure(double candidate_cost, double regret_bound) const {
  const double margin = paper_margin(config_, explored_, regret_bound);
  return {.value = candidate_cost + predicted_cost_sum_ + margin, .margin = margin};
}

void PaperGate::book_explored(double predicted_cost) {
  predicted_cost_sum_ += predicted_cost;
  ++explored_;
}

void PaperGate::save(ByteWriter& out) const {
  out.f64(predicted_cost_sum_);
  out.u64(explored_);
}

Status PaperGate::load(ByteReader& in) {
  predicted_cost_sum_ = in.f64();
  explored_ = in.u64();
  return in.status();
}

}  // namespace handrail
