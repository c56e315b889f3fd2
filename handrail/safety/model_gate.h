// A tight gate for a trusted model. Valid at all rounds at once with probability 1 − δ if the
// expected cost is in the oracle's class (realizability), the oracle's regret bound holds, and
// every cost is known before the next round. Under misspecification, drift or delay it promises
// nothing.
//
// With d_i = ŷ_i − h_i over the played arms of m explored rounds:
//   square loss  Σ d² ≤ 2 Reg + 2 log(1/δ), so Σ h ≤ Σ ŷ + √(2m (Reg + log(1/δ)))
//   log loss     √Σh ≤ √Σŷ + √D with D = Reg + 2 log(1/δ), by the Hellinger distance
// where the paper has constants of 2 and 16, for one round at a time.
#pragma once

#include <cstdint>

#include "handrail/base/bytes.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/entry.h"
#include "handrail/safety/predicted_sums.h"

namespace handrail {

// By how much the expected cost of m rounds can exceed the predicted cost, for all m at once.
double square_loss_margin(std::uint64_t explored, double regret_bound, double delta);
double log_loss_margin(double predicted_cost_sum, double regret_bound, double delta);

struct ModelGateConfig {
  Loss loss = Loss::kSquare;
  double delta = 0.05;
};

// Ŷ + margin + cap, where Ŷ is the sum of predicted costs of the played arms: the candidate is not
// looked at.
Exposure model_exposure(const ModelGateConfig& config, const PredictedSums& sums,
                        double regret_bound);

class ModelGate final : public Gate {
 public:
  explicit ModelGate(const ModelGateConfig& config) : config_(config) {}

  Exposure exposure(double regret_bound) const;
  // `played_cost` is the predicted cost of the arm that an explored round played.
  void book_explored(double played_cost) { sums_.add(played_cost); }

  Sides sides(const GateQuestion& question, ArmIndex /*candidate*/,
              Scratch& /*scratch*/) const override {
    return {.exposure = exposure(question.regret_bound), .allowance = question.allowance};
  }
  void book(const Decision& decision, bool charged) override {
    if (charged) book_explored(decision.centre);
  }

  void save(ByteWriter& out) const override { sums_.save(out); }
  Status load(ByteReader& in) override { return sums_.load(in); }

 private:
  ModelGateConfig config_;
  PredictedSums sums_;
};

extern const GateEntry kModelGate;

}  // namespace handrail
