#include "handrail/safety/budget_gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "handrail/safety/ledger.h"

namespace handrail {
namespace {

constexpr ArmWidthConfig kThreeArms = {.form = ArmWidth::kSecond, .arm_count = 3, .delta = 0.05};

Sides ask(const BudgetGate& gate, const Baseline& baseline) {
  Scratch scratch;
  return gate.sides({.baseline = baseline, .costs = {}}, 1, scratch);
}

bool admitted(const Sides& sides) {
  return admits(sides.exposure.value, sides.allowance);
}

// Plays the baseline, at the observed cost `cost`, until the gate opens; how long that took.
int rounds_until_open(BudgetGate& gate, const Baseline& baseline, double cost) {
  Decision decision;
  decision.arm = baseline.arm;
  decision.baseline = baseline;
  const Observation observation = {.features = {}, .arm = baseline.arm, .cost = cost};
  int rounds = 0;
  for (; !admitted(ask(gate, baseline)) && rounds < 1'000'000; ++rounds) {
    gate.book(decision, false);
    gate.reveal(observation);
  }
  return rounds;
}

// t₀ = C²/(4α²μ²) = 1.1²/(4·0.01·0.16) = 189.06, so 190.
TEST(BudgetGate, OpensAfterTheRoundsOfTheFormula) {
  BudgetGate gate({.width = kThreeArms, .regret_rate = 1.1, .alpha = 0.1});
  EXPECT_EQ(rounds_until_open(gate, {.arm = 0, .cost = 0.4}, 0.0), 190);
  EXPECT_NEAR(ask(gate, {.arm = 0, .cost = 0.4}).allowance, 2.0 * 0.1 * 0.4 * std::sqrt(190.0),
              1e-9);
  EXPECT_EQ(ask(gate, {.arm = 0, .cost = 0.4}).exposure.value, 1.1);
}

// C√s ≤ α·Σ + reserve + αμs for all s, at the least s that could break it and beside it.
TEST(BudgetGate, OpensNoEarlierThanEveryHorizonAllows) {
  BudgetGate gate({.width = kThreeArms, .regret_rate = 1.1, .alpha = 0.1, .reserve = 2.0});
  const int rounds = rounds_until_open(gate, {.arm = 0, .cost = 0.4}, 0.0);
  const auto holds = [](int baseline_rounds) {
    for (int s = 1; s < 2000; ++s) {
      if (1.1 * std::sqrt(s) > 2.0 + 0.1 * 0.4 * (baseline_rounds + s)) return false;
    }
    return true;
  };
  EXPECT_TRUE(holds(rounds));
  EXPECT_FALSE(holds(rounds - 1));
}

TEST(BudgetGate, StaysOpenWhateverComes) {
  BudgetGate gate({.width = kThreeArms, .regret_rate = 1.1, .alpha = 0.1});
  rounds_until_open(gate, {.arm = 0, .cost = 0.4}, 0.0);
  Decision explored;
  explored.choice = Choice::kExplore;
  explored.arm = 1;
  explored.baseline = {.arm = 0, .cost = 0.4};
  const double before = ask(gate, explored.baseline).allowance;
  gate.book(explored, true);
  explored.baseline.cost = 0.0;
  gate.book(explored, true);
  EXPECT_EQ(ask(gate, explored.baseline).allowance, before);
}

// What was earned counts in full; what will be, at the least that was seen: 2√(0.1·(19 +
// 38)·0.1·0.2).
TEST(BudgetGate, TrustsTheFutureNoMoreThanTheCheapestRoundSoFar) {
  BudgetGate gate({.width = kThreeArms, .regret_rate = 100.0, .alpha = 0.1});
  Decision decision;
  for (const double cost : {0.2, 0.4}) {
    decision.baseline = {.arm = 0, .cost = cost};
    for (int i = 0; i < 95; ++i) gate.book(decision, false);
  }
  EXPECT_NEAR(ask(gate, {.arm = 0, .cost = 0.4}).allowance, 2.0 * std::sqrt(5.7 * 0.02), 1e-9);
  EXPECT_NEAR(ask(gate, {.arm = 0, .cost = 0.1}).allowance, 2.0 * std::sqrt(5.7 * 0.01), 1e-9);
}

// After n plays at cost 0.4 the arm costs at least 0.4 − D(n), and 2α(0.4 − D)√n ≥ 1.1 holds from
// n = 478 on (a script's search over n).
TEST(BudgetGate, WaitsForTheLowerCostOfAnUnknownBaseline) {
  BudgetGate gate({.width = kThreeArms, .regret_rate = 1.1, .baseline_known = false, .alpha = 0.1});
  EXPECT_EQ(rounds_until_open(gate, {.arm = 0, .cost = 0.0}, 0.4), 478);
}

}  // namespace
}  // namespace handrail
