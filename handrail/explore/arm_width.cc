#include "handrail/explore/arm_width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// In the order of ArmWidth.
constexpr std::array<std::string_view, 2> kFormWords = {"first", "second"};

double first_form(double zeta, double s) {
  return 2.0 * std::log(zeta * s * s * s);
}

// Both inner max(1, ·) guard small s, where log log is negative or does not exist.
double second_form(double zeta, double s) {
  const double log_zeta = std::log(zeta);
  const double growth = std::max(1.0, std::log(std::max(1.0, std::log(1.0 + s))));
  return std::log(std::max(3.0, log_zeta)) +
         std::log(2.0 * std::numbers::e * std::numbers::e * zeta) +
         zeta * (1.0 + log_zeta) / ((zeta - 1.0) * log_zeta) * growth;
}

double width_of(const ArmWidthConfig& config, double plays) {
  return std::sqrt(psi_of(config, plays) / plays);
}

}  // namespace

constinit const ParameterSpec kArmWidthRow = grouped(
    "gate", word_row("arm_width",
                     "ucb, armwise, budget: how wide an arm's interval is, first: "
                     "√(2·log(Ks³/δ)/s) after s plays; second: with log log s, narrower from a few "
                     "plays on",
                     "second", kFormWords));

ArmWidthConfig arm_width_in(const PartFrame& frame) {
  return {.form = frame.values.choice<ArmWidth>(kArmWidthRow),
          .arm_count = frame.layout.block_count,
          .delta = frame.delta};
}

double psi_of(const ArmWidthConfig& config, double plays) {
  HANDRAIL_ASSERT(plays >= 1.0 && config.arm_count > 0 && config.delta > 0.0 && config.delta < 1.0);
  const double zeta = static_cast<double>(config.arm_count) / config.delta;
  return config.form == ArmWidth::kFirst ? first_form(zeta, plays) : second_form(zeta, plays);
}

double lower_cost(const ArmWidthConfig& config, const ArmPlays& plays) {
  if (plays.count == 0) return 0.0;
  const auto s = static_cast<double>(plays.count);
  return std::max(0.0, plays.cost_sum / s - width_of(config, s));
}

double upper_cost(const ArmWidthConfig& config, const ArmPlays& plays) {
  if (plays.count == 0) return 1.0;
  const auto s = static_cast<double>(plays.count);
  return std::min(1.0, plays.cost_sum / s + width_of(config, s));
}

double ucb_regret_rate(const ArmWidthConfig& config) {
  constexpr double kMostRounds = 0x1p63;
  const auto arm_count = static_cast<double>(config.arm_count);
  return std::sqrt(arm_count) * (1.0 + 4.0 * std::sqrt(psi_of(config, kMostRounds)));
}

}  // namespace handrail
