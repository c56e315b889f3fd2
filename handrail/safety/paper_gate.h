// The gate as the paper prints it, for fidelity and not for production:
//
//   ŷ(candidate) + Σ_{explored i} Σ_a p_{i,a} ŷ_{i,a} + scale·√(m (Reg + log(4/δ)))  ≤  allowance
//
// What the paper claims of it does not hold. Its margin is 0 in round one, its proof is for one
// fixed round and not for all of them, and its verdict reads the draw that the proof takes to be
// free. It also trusts the model: under misspecification or drift it breaks the constraint by a
// wide margin.
#pragma once

#include <cstdint>

#include "handrail/oracle/oracle.h"
#include "handrail/safety/entry.h"
#include "handrail/safety/predicted_sums.h"

namespace handrail {

enum class MarginRounds : std::uint8_t {
  kM = 0,         // the rounds explored before this one, as printed
  kMPlusOne = 1,  // with this one, which protects round one
};

struct PaperGateConfig {
  double margin_scale = 0.0;
  MarginRounds margin_rounds = MarginRounds::kM;
  double delta = 0.05;
};

// scale·√(m (Reg + log(4/δ))), with m + 1 for m if so configured.
double paper_margin(const PaperGateConfig& config, std::uint64_t explored, double regret_bound);

// The sum of predicted costs is the paper's A, Σ_i Σ_a p_{i,a} ŷ_{i,a}.
Exposure paper_exposure(const PaperGateConfig& config, const PredictedSums& sums,
                        double candidate_cost, double regret_bound);

class PaperGate final : public Gate {
 public:
  explicit PaperGate(const PaperGateConfig& config) : config_(config) {}

  Exposure exposure(double candidate_cost, double regret_bound) const;
  // `predicted_cost` is Σ_a p_a ŷ_a of an explored round.
  void book_explored(double predicted_cost) { sums_.add(predicted_cost); }

  Sides sides(const GateQuestion& question, ArmIndex candidate,
              Scratch& /*scratch*/) const override {
    return {.exposure = exposure(question.costs[candidate], question.regret_bound),
            .allowance = question.allowance};
  }
  void book(const Decision& decision, bool charged) override {
    if (charged) book_explored(decision.predicted_cost);
  }

  void save(ByteWriter& out) const override { sums_.save(out); }
  Status load(ByteReader& in) override { return sums_.load(in); }

 private:
  PaperGateConfig config_;
  PredictedSums sums_;
};

extern const GateEntry kPaperGate;

}  // namespace handrail
