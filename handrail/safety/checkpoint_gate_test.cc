#include "handrail/safety/checkpoint_gate.h"

#include <gtest/gtest.h>

#include "handrail/base/random.h"
#include "handrail/safety/ledger.h"
#include "tests/gate_play.h"

namespace handrail {
namespace {

const std::vector<double> kRows = {1.0, 2.0};

GateRound round_with(double baseline_cost, double allowance) {
  return {.features = ArmFeatures::rows(kRows, 1),
          .baseline = {.arm = 0, .cost = baseline_cost},
          .allowance = allowance};
}

CertifiedGate certified_gate() {
  return {0.05, BoundKind::kMinimum, Members::kRisky};
}

// A checkpoint every 4 rounds, α = 0.5, and a baseline that will cost 0.2: 0.1 is to come for each
// round until the checkpoint, 3 of them in round 1.
TEST(CheckpointGate, LendsWhatTheBaselineWillEarnUntilTheCheckpoint) {
  CheckpointGate gate({.alpha = 0.5, .every = 4, .future_cost = 0.2}, certified_gate());
  const std::vector<double> to_come = {0.3, 0.2, 0.1, 0.0, 0.3, 0.2, 0.1, 0.0, 0.3};
  for (const double expected : to_come) {
    const Sides sides = ask(gate, round_with(0.9, 0.55), 1);
    EXPECT_NEAR(sides.allowance, 0.55 + expected, 1e-15);
    EXPECT_EQ(sides.exposure.value, 1.0);  // Ub = 0, and the cap
    book(gate, decide(gate, round_with(0.9, 0.0), 1));
  }
}

TEST(CheckpointGate, TakesTheRoundsOwnCostForThoseToComeIfNoneIsGiven) {
  const CheckpointGate gate({.alpha = 0.5, .every = 4}, certified_gate());
  EXPECT_NEAR(ask(gate, round_with(0.4, 1.0), 1).allowance, 1.0 + 0.5 * 3 * 0.4, 1e-15);
}

// α = 0.5 and a baseline that costs 0.5. In round 1 the allowance is 0.75, and 3 · 0.25 is to come:
// 1 ≤ 1.5, open. Then Ub = 1, so that 2 is held against 1.5 · 1 + 2 · 0.25 = 2 in round 2: a tie,
// open. Round 3: 3 against 1.5 · 1.5 + 0.25 = 2.5, shut; round 4: 3 against 1.5 · 1.5 + 0.25 = 2.5,
// shut. What was charged at the checkpoint, 2, is within 1.5 · 1 + 0.5 · 1 = 2 that were earned.
TEST(CheckpointGate, FollowsAHandComputedRun) {
  CheckpointGate gate({.alpha = 0.5, .every = 4, .future_cost = 0.5}, certified_gate());
  Ledger ledger({.alpha = 0.5, .reserve = 0.0});
  const std::vector<double> slacks = {-0.25, -0.5, -0.25, 0.0};
  std::vector<Choice> choices;
  for (std::size_t t = 1; t <= 4; ++t) {
    const Decision decision = decide(gate, round_with(0.5, ledger.allowance(0.5)), 1);
    choices.push_back(decision.choice);
    ledger.book(decision, gate.charges(decision));
    book(gate, decision);
    EXPECT_EQ(*gate.slack(ledger.earned()), slacks[t - 1]);  // as of now
  }
  EXPECT_EQ(choices, (std::vector{Choice::kExplore, Choice::kExplore, Choice::kBaseline,
                                  Choice::kBaseline}));
}

TEST(CheckpointGate, IsTheCertifiedGateIfNothingIsToCome) {
  for (const CheckpointConfig& config :
       {CheckpointConfig{.alpha = 0.5, .every = 7, .future_cost = 0.0},
        CheckpointConfig{.alpha = 0.5, .every = 1, .future_cost = 0.7}}) {
    RandomStream stream(1, Purpose::kTest, 53);
    CheckpointGate gate(config, certified_gate());
    CertifiedGate certified = certified_gate();
    Ledger ledger({.alpha = 0.5, .reserve = 0.0});
    int explored = 0;
    for (int t = 0; t < 300; ++t) {
      const double baseline_cost = stream.uniform();
      const GateRound round = round_with(baseline_cost, ledger.allowance(baseline_cost));
      const Sides expected = ask(certified, round, 1);
      const Sides sides = ask(gate, round, 1);
      ASSERT_EQ(sides.exposure.value, expected.exposure.value);
      ASSERT_EQ(sides.exposure.margin, expected.exposure.margin);
      ASSERT_EQ(sides.allowance, expected.allowance);
      const Decision decision = decide(gate, round, 1);
      explored += decision.choice == Choice::kExplore ? 1 : 0;
      ledger.book(decision, gate.charges(decision));
      book(gate, decision);
      book(certified, decision);
      if (stream.below(3) == 0) continue;
      const double cost = 0.4 * stream.uniform();
      reveal(gate, decision, cost);
      reveal(certified, decision, cost);
      ASSERT_EQ(gate.slack(ledger.earned()), certified.slack(ledger.earned()));
    }
    EXPECT_GT(explored, 100);
    EXPECT_LT(explored, 300);
  }
}

TEST(CheckpointGate, GoesOnAfterLoading) {
  const CheckpointConfig config = {.alpha = 0.5, .every = 10, .future_cost = 0.5};
  CheckpointGate gate(config, certified_gate());
  for (int t = 0; t < 13; ++t) {
    const Decision decision = decide(gate, round_with(0.5, 20.0), 1);
    book(gate, decision);
    reveal(gate, decision, 0.3);
  }
  ByteWriter out;
  gate.save(out);
  CheckpointGate copy(config, certified_gate());
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy.load(in).ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(copy.rounds_to_come(), 6u);
  EXPECT_EQ(ask(copy, round_with(0.5, 0.0), 1).exposure.value,
            ask(gate, round_with(0.5, 0.0), 1).exposure.value);
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader cut(out.bytes().substr(0, length));
    ASSERT_FALSE(copy.load(cut).ok()) << length;
  }
}

}  // namespace
}  // namespace handrail
