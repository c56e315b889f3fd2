#include "handrail/safety/paper_gate.h"

#include <array>
#include <cmath>

#include "handrail/safety/regret_bound.h"

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

namespace {

// In the order of MarginRounds.
constexpr std::array<std::string_view, 2> kRoundsWords = {"m", "m_plus_one"};

constexpr ParameterSpec kScaleRow =
    grouped("gate", number_row("margin_scale", "paper: scale of the margin; the paper prints 16",
                               "16", {.low = 0.0, .high = 1e9}));
constexpr ParameterSpec kRoundsRow =
    grouped("gate", word_row("margin_rounds",
                             "paper: rounds in the margin; m is as printed and leaves round one "
                             "unprotected",
                             "m", kRoundsWords));
constexpr std::array kCommon = {&kScaleRow, &kRoundsRow, &kRegretBoundRow};
constexpr std::array kHeader = {&kScaleRow, &kRoundsRow};

}  // namespace

constinit const GateEntry kPaperGate = {
    .name = "paper",
    .meaning = "as the paper prints it, for fidelity: its proof has gaps",
    .traits = {.reads_candidate = true, .reads_costs = true, .uses_regret_bound = true},
    .common = kCommon,
    .header = kHeader,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<PaperGate>(
          PaperGateConfig{.margin_scale = frame.values.number(kScaleRow),
                          .margin_rounds = frame.values.choice<MarginRounds>(kRoundsRow),
                          .delta = frame.delta});
    },
};

}  // namespace handrail
