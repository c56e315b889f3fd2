#include "handrail/safety/budget_gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace handrail {

BudgetGate::BaselineCosts BudgetGate::costs(const Baseline& now) const {
  BaselineCosts costs;
  if (config_.baseline_known) {
    costs = known_;
    if (!opened_) costs.least = std::min(costs.least, now.cost);
    return costs;
  }
  for (ArmIndex arm = 0; arm < accounts_.arms().size(); ++arm) {
    const auto rounds = static_cast<double>(accounts_.arms()[arm].baseline_rounds);
    const bool is_baseline = rounds > 0.0 || (!opened_ && arm == now.arm);
    if (!is_baseline) continue;
    const double lower = accounts_.lower(arm);
    costs.sum += rounds * lower;
    costs.least = std::min(costs.least, lower);
  }
  return costs;
}

Sides BudgetGate::sides(const GateQuestion& question, ArmIndex /*candidate*/,
                        Scratch& /*scratch*/) const {
  const BaselineCosts baseline = costs(question.baseline);
  const double earned = config_.alpha * baseline.sum + config_.reserve;
  return {.exposure = {.value = config_.regret_rate, .margin = config_.regret_rate},
          .allowance = 2.0 * std::sqrt(earned * config_.alpha * baseline.least)};
}

void BudgetGate::book(const Decision& decision, bool charged) {
  if (opened_) return;
  known_.least = std::min(known_.least, decision.baseline.cost);
  opened_ = charged;
  if (opened_) return;
  known_.sum += decision.baseline.cost;
  accounts_.book(decision, charged);
}

void BudgetGate::save(ByteWriter& out) const {
  out.u8(opened_ ? 1 : 0);
  out.f64(known_.sum);
  out.f64(known_.least);
  accounts_.save(out);
}

Status BudgetGate::load(ByteReader& in) {
  BudgetGate loaded = *this;
  const std::uint8_t opened = in.u8();
  loaded.known_.sum = in.f64();
  loaded.known_.least = in.f64();
  const bool can_be = opened <= 1 && loaded.known_.sum >= 0.0 && std::isfinite(loaded.known_.sum) &&
                      is_cost(loaded.known_.least);
  if (!can_be) in.fail("has a budget that cannot be");
  loaded.opened_ = opened == 1;
  const Status accounts = loaded.accounts_.load(in);
  if (!accounts.ok()) return accounts;
  *this = std::move(loaded);
  return {};
}

namespace {

constexpr ParameterSpec kRegretRow = grouped(
    "gate", or_words(positive_row("budget_regret",
                                  "budget: C such that the learner's regret after s rounds is at "
                                  "most C√s; auto: the bound of ucb, which is large",
                                  "auto", 1e9),
                     kAutoWord));
constexpr std::array kCommon = {&kArmWidthRow, &kRegretRow};

Status check_regret(const LearnerTraits& learner, const ParameterValues& values) {
  if (learner.ucb_regret || values.optional_number(kRegretRow).has_value()) return {};
  return Error{
      "gate=budget needs a bound on the learner's regret: policy=ucb has one, or give "
      "budget_regret=NUMBER if you can vouch for it"};
}

}  // namespace

constinit const GateEntry kBudgetGate = {
    .name = "budget",
    .meaning = "BudgetFirst's: shut, then open for ever",
    .traits = {.own_allowance = true, .needs_baseline_cost = false, .needs_fixed_arms = true},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      const ArmWidthConfig width = arm_width_in(frame);
      const std::optional<double> given = frame.values.optional_number(kRegretRow);
      return std::make_unique<BudgetGate>(
          BudgetConfig{.width = width,
                       .regret_rate = given.value_or(ucb_regret_rate(width)),
                       .baseline_known = frame.baseline_known != BaselineKnown::kUnknown,
                       .alpha = frame.alpha,
                       .reserve = frame.reserve});
    },
    .suits = check_regret,
};

}  // namespace handrail
