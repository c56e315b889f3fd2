#include "handrail/safety/armwise_gate.h"

#include <gtest/gtest.h>

#include "handrail/safety/ledger.h"

namespace handrail {
namespace {

constexpr ArmWidthConfig kThreeArms = {.form = ArmWidth::kSecond, .arm_count = 3, .delta = 0.05};
// √(ψ(s)/s) of three arms at δ = 0.05 in the second form, worked out in ucb_test.cc.
constexpr double kWidth100 = 0.318311;
constexpr double kWidth400 = 0.161733;

ArmwiseGate make(bool baseline_known) {
  return ArmwiseGate({.width = kThreeArms, .baseline_known = baseline_known, .alpha = 0.1});
}

Decision decision_of(ArmIndex arm, ArmIndex baseline) {
  Decision decision;
  decision.arm = arm;
  decision.baseline = {.arm = baseline, .cost = 0.5};
  return decision;
}

void book(ArmwiseGate& gate, ArmIndex arm, ArmIndex baseline, int times) {
  const Decision decision = decision_of(arm, baseline);
  for (int i = 0; i < times; ++i) gate.book(decision, gate.charges(decision));
}

void reveal(ArmwiseGate& gate, ArmIndex arm, double cost, int times) {
  const Observation observation = {.features = {}, .arm = arm, .cost = cost};
  for (int i = 0; i < times; ++i) gate.reveal(observation);
}

Sides ask(const ArmwiseGate& gate, ArmIndex candidate, ArmIndex baseline = 0) {
  Scratch scratch;
  return gate.sides({.baseline = {.arm = baseline, .cost = 0.5}, .costs = {}, .allowance = 62.6},
                    candidate, scratch);
}

bool admitted(const Sides& sides) {
  return admits(sides.exposure.value, sides.allowance);
}

// The baseline 400 times at cost ½, arm 1 a hundred times at 0.3, arm 2 never.
void play(ArmwiseGate& gate) {
  book(gate, 0, 0, 400);
  reveal(gate, 0, 0.5, 400);
  book(gate, 1, 0, 100);
  reveal(gate, 1, 0.3, 100);
}

TEST(ArmwiseGate, BoundsChargedPlaysAndTheCandidateArmByArm) {
  ArmwiseGate gate = make(true);
  play(gate);
  const double upper = 0.3 + kWidth100;
  EXPECT_NEAR(ask(gate, 1).exposure.value, 101.0 * upper, 1e-3);
  EXPECT_NEAR(ask(gate, 1).exposure.margin, 101.0 * kWidth100, 1e-3);
  EXPECT_NEAR(ask(gate, 2).exposure.value, 100.0 * upper + 1.0, 1e-3);  // never played
  EXPECT_NEAR(ask(gate, 2).exposure.margin, 100.0 * kWidth100 + 1.0, 1e-3);
  EXPECT_EQ(ask(gate, 1).allowance, 62.6);  // the ledger's
  EXPECT_TRUE(admitted(ask(gate, 1)));      // 62.449 ≤ 62.6
  EXPECT_FALSE(admitted(ask(gate, 2)));     // 62.831 > 62.6
}

// What an agent that asks for every arm of a round works out once.
TEST(ArmwiseGate, SaysTheSameBitsOfManyCandidatesAsOfEachAlone) {
  for (const bool known : {true, false}) {
    ArmwiseGate gate = make(known);
    play(gate);
    book(gate, 1, 2, 7);
    for (const ArmIndex baseline : {0u, 1u, 2u}) {
      GateQuestion question = {
          .baseline = {.arm = baseline, .cost = 0.5}, .costs = {}, .allowance = 62.6};
      question.before = gate.sides_before(question);
      for (const ArmIndex candidate : {0u, 1u, 2u}) {
        Scratch scratch;
        const Sides sides = gate.sides(question, candidate, scratch);
        const Sides alone = ask(gate, candidate, baseline);
        EXPECT_EQ(sides.exposure.value, alone.exposure.value);
        EXPECT_EQ(sides.exposure.margin, alone.exposure.margin);
        EXPECT_EQ(sides.allowance, alone.allowance);
      }
    }
  }
}

// ((1+α)t − T_0)·lower_0 with t = 501, T_0 = 400 and lower_0 = ½ − D(400): 51.112.
TEST(ArmwiseGate, HoldsExposureAgainstTheLowerCostOfAnUnknownBaseline) {
  ArmwiseGate gate = make(false);
  play(gate);
  const double lower = 0.5 - kWidth400;
  EXPECT_NEAR(ask(gate, 1).allowance, (1.1 * 501.0 - 400.0) * lower, 1e-3);
  EXPECT_NEAR(ask(gate, 1).exposure.value, 101.0 * (0.3 + kWidth100), 1e-3);
  EXPECT_FALSE(admitted(ask(gate, 1)));
  // 400 more baseline rounds: D(800) = √(10.6012/800) = 0.1151; (1.1·901 − 800)·0.3849 = 73.55.
  book(gate, 0, 0, 400);
  reveal(gate, 0, 0.5, 400);
  EXPECT_NEAR(ask(gate, 1).allowance, 73.5, 0.1);
  EXPECT_TRUE(admitted(ask(gate, 1)));
}

TEST(ArmwiseGate, KnowsNothingAtFirst) {
  const ArmwiseGate known = make(true);
  EXPECT_EQ(ask(known, 1).exposure.value, 1.0);
  const ArmwiseGate unknown = make(false);
  EXPECT_EQ(ask(unknown, 1).allowance, 0.0);
  EXPECT_FALSE(admitted(ask(unknown, 1)));
}

// A cost that is not known counts 1 above and 0 below, among all plays: revealed ones may be the
// cheap ones.
TEST(ArmwiseGate, CountsUnknownCostsAsTheWorst) {
  ArmwiseGate gate = make(false);
  book(gate, 0, 0, 400);
  book(gate, 1, 0, 100);
  EXPECT_EQ(ask(gate, 1).exposure.value, 101.0);
  EXPECT_EQ(ask(gate, 1).allowance, 0.0);
  reveal(gate, 1, 0.0, 80);
  EXPECT_NEAR(ask(gate, 1).exposure.value, 101.0 * (0.2 + kWidth100), 1e-3);
  reveal(gate, 0, 1.0, 100);  // 100/400 − D(400)
  EXPECT_NEAR(ask(gate, 1).allowance, (1.1 * 501.0 - 400.0) * (0.25 - kWidth400), 1e-3);
}

// Arm 1 is the baseline's in 100 further rounds, and played there: those plays are not charged, and
// earn (1.1·101 − 100)·lower_1. The candidate is arm 2, and the round's baseline arm 1.
TEST(ArmwiseGate, FollowsABaselineThatChanges) {
  ArmwiseGate gate = make(false);
  play(gate);
  book(gate, 1, 1, 300);
  reveal(gate, 1, 0.3, 300);
  const Sides sides = ask(gate, 2, 1);
  EXPECT_NEAR(sides.exposure.value, 100.0 * (0.3 + kWidth400) + 1.0, 1e-3);
  EXPECT_NEAR(sides.allowance,
              (1.1 * 500.0 - 400.0) * (0.5 - kWidth400) + (1.1 * 301.0 - 300.0) * (0.3 - kWidth400),
              1e-3);
}

TEST(ArmwiseGate, RefusesAccountsThatDoNotAddUp) {
  ArmwiseGate gate = make(true);
  play(gate);
  ByteWriter out;
  for (int i = 0; i < 3; ++i) {
    out.u64(1);
    out.u64(2);  // more revealed than played
    out.f64(0.5);
    out.u64(0);
    out.u64(1);
  }
  ByteReader in(out.bytes());
  EXPECT_FALSE(gate.load(in).ok());
  EXPECT_NEAR(ask(gate, 1).exposure.value, 101.0 * (0.3 + kWidth100), 1e-3);
}

}  // namespace
}  // namespace handrail
