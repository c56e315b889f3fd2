#include "handrail/explore/gamma.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

// In the order of GammaKind.
constexpr std::array<std::string_view, 6> kKindWords = {"constant",    "sqrt",   "episodic",
                                                        "first-order", "rounds", "costs"};
constexpr std::array<std::string_view, 1> kEstimatedWord = {"estimated"};

// Algorithm 1's γ_t holds |S_t|, which is unknown until the verdict on round t is in, and T or m_T
// in Reg. We use m_{t−1} + 1 and the Reg of the updates so far.
double sqrt_gamma(const GammaConfig& config, const GammaInputs& in) {
  const auto rounds = static_cast<double>(in.explored) + 1.0;
  return std::sqrt(static_cast<double>(in.arm_count) * rounds /
                   (in.regret_bound + std::log(4.0 / config.delta)));
}

// max(10K, √(K·L / Reg)): Foster and Krishnamurthy's γ for a best cost L.
double first_order_gamma(double best_cost_sum, const GammaInputs& in) {
  const auto arm_count = static_cast<double>(in.arm_count);
  return std::max(10.0 * arm_count, std::sqrt(arm_count * best_cost_sum / in.regret_bound));
}

// Algorithm 2 doubles η once a round while L > 2η. Its L grows by at most 1 a round and η ≥ 1, so
// one doubling suffices and η is the least power of two with L ≤ 2η: no state to keep. (Late costs
// may arrive in bunches; then we double as often as it takes.)
double episode_level(double best_cost_sum) {
  double level = 1.0;
  while (best_cost_sum > 2.0 * level) level *= 2.0;
  return level;
}

double episodic_gamma(const GammaConfig& config, const GammaInputs& in) {
  const double best_cost_sum = config.best_cost.has_value()
                                   ? *config.best_cost * (static_cast<double>(in.explored) + 1.0)
                                   : in.explored_cost_sum;
  return first_order_gamma(episode_level(best_cost_sum), in);
}

// base^exponent. The usual exponent is a square root, which is exact to the last bit and much
// faster; pow gives the same but for a last bit now and then.
double power(double base, double exponent) {
  return exponent == 0.5 ? std::sqrt(base) : std::pow(base, exponent);
}

}  // namespace

constinit const ParameterSpec kGammaRow = grouped(
    "policy", word_row("gamma",
                       "igw: constant: scale; sqrt, episodic: the paper's; first-order: max(10K, "
                       "√(K·(1+own costs)/Reg)); rounds: scale·(m+1)^exponent; costs: scale·(1+own "
                       "costs)^exponent",
                       "rounds", kKindWords));

constinit const ParameterSpec kGammaScaleRow = grouped(
    "policy", or_words(number_row("gamma_scale",
                                  "scale of γ, for gamma=constant, rounds and costs; auto: 10, "
                                  "with gamma=rounds the scale that goes with the oracle",
                                  "auto", {.low = 0.0, .high = 1e9}),
                       kAutoWord));

constinit const ParameterSpec kGammaExponentRow =
    grouped("policy", number_row("gamma_exponent", "exponent of γ, for gamma=rounds and costs",
                                 "0.5", {.low = 0.0, .high = 4.0}));

constinit const ParameterSpec kBestCostRow = grouped(
    "policy", or_words(number_row("best_cost",
                                  "for gamma=episodic: expected cost of the best arm per explored "
                                  "round, or estimated: own revealed costs stand in for it",
                                  "estimated", {.low = 0.0, .high = 1.0}),
                       kEstimatedWord));

void settle_gamma(double scale_of_rounds, ParameterValues& values) {
  if (values.optional_number(kGammaScaleRow).has_value()) return;
  const bool of_rounds = values.choice<GammaKind>(kGammaRow) == GammaKind::kRounds;
  values.settle(kGammaScaleRow, to_text(of_rounds ? scale_of_rounds : kPlainGammaScale));
}

GammaConfig schedule_in(const ParameterValues& values, double delta) {
  return {.kind = values.choice<GammaKind>(kGammaRow),
          .scale = values.number(kGammaScaleRow),
          .exponent = values.number(kGammaExponentRow),
          .best_cost = values.optional_number(kBestCostRow),
          .delta = delta};
}

bool reads_regret_bound(GammaKind kind) {
  return kind == GammaKind::kSqrt || kind == GammaKind::kEpisodic || kind == GammaKind::kFirstOrder;
}

double gamma_of(const GammaConfig& config, const GammaInputs& in) {
  switch (config.kind) {
    case GammaKind::kConstant:
      return config.scale;
    case GammaKind::kSqrt:
      return sqrt_gamma(config, in);
    case GammaKind::kEpisodic:
      return episodic_gamma(config, in);
    case GammaKind::kFirstOrder:
      return first_order_gamma(1.0 + in.explored_cost_sum, in);
    case GammaKind::kRounds:
      return config.scale * power(static_cast<double>(in.explored) + 1.0, config.exponent);
    case GammaKind::kCosts:
      return config.scale * power(1.0 + in.explored_cost_sum, config.exponent);
  }
  HANDRAIL_ASSERT(false);
}

}  // namespace handrail
