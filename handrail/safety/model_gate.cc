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

Exposure ModelGate::exposure(double regret_bound) const {
  const double margin = loss_ == Loss::kSquare
                            ? square_loss_margin(explored_, regret_bound, delta_)
                            : log_loss_margin(predicted_cost_sum_, regret_bound, delta_);
  return {.value = predicted_cost_sum_ + margin + kCostCap, .margin = margin};
}

void ModelGate::book_explored(double played_cost) {
  predicted_cost_sum_ += played_cost;
  ++explored_;
}

void ModelGate::save(ByteWriter& out) const {
  out.f64(predicted_cost_sum_);
  out.u64(explored_);
}

Status ModelGate::load(ByteReader& in) {
  predicted_cost_sum_ = in.f64();
  explored_ = in.u64();
  return in.status();
}

}  // namespace handrail
