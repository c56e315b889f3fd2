// γ schedules: how greedy the gap weighting is. A knob for regret, never for safety. Every schedule
// looks at the past only. It never falls while rounds and costs add up and Reg stays as it is.
#pragma once

#include <cstdint>
#include <optional>

#include "handrail/config/parameter_values.h"

namespace handrail {

enum class GammaKind : std::uint8_t {
  kConstant = 0,  // scale
  kSqrt = 1,      // the paper's for C-SquareCB: √(K(m+1) / (Reg + log(4/δ)))
  kEpisodic = 2,  // the paper's for C-FastCB: max(10K, √(Kη / Reg)), η doubling with the best cost
  kFirstOrder = 3,  // the same without episodes or best cost: max(10K, √(K·L̂ / Reg))
  kRounds = 4,      // scale · (m+1)^exponent
  kCosts = 5,       // scale · (1 + own costs)^exponent
};

struct GammaConfig {
  GammaKind kind = GammaKind::kRounds;
  double scale = 10.0;
  double exponent = 0.5;
  // For the episodic schedule: the expected cost of the best arm per explored round, as the
  // operator guesses it. None: own revealed costs stand in for it, since no agent may see the best
  // arm's.
  std::optional<double> best_cost = std::nullopt;
  double delta = 0.05;
};

extern const ParameterSpec kGammaRow;
extern const ParameterSpec kGammaScaleRow;
extern const ParameterSpec kGammaExponentRow;
extern const ParameterSpec kBestCostRow;

// The scale of γ that goes with whatever nothing better is known of.
inline constexpr double kPlainGammaScale = 10.0;

// Settles a scale that is auto: with gamma=rounds to `scale_of_rounds`.
void settle_gamma(double scale_of_rounds, ParameterValues& values);
// The schedule of values that are settled.
GammaConfig schedule_in(const ParameterValues& values, double delta);

struct GammaInputs {
  std::size_t arm_count = 0;       // K
  std::uint64_t explored = 0;      // m, rounds explored before this one
  double explored_cost_sum = 0.0;  // their revealed costs
  double regret_bound = 1.0;       // Reg
};

// Whether the schedule looks at GammaInputs::regret_bound.
bool reads_regret_bound(GammaKind kind);

double gamma_of(const GammaConfig& config, const GammaInputs& inputs);

}  // namespace handrail
