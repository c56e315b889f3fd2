#include "handrail/safety/estimated_baseline_gate.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/safety/ledger.h"

namespace handrail {
namespace {

constexpr double kFloor = 0.1;

template <typename AnyGate>
Sides ask(const AnyGate& gate) {
  Scratch scratch;
  return gate.sides({}, 0, scratch);
}

template <typename AnyGate>
bool is_open(const AnyGate& gate) {
  const Sides sides = ask(gate);
  return admits(sides.exposure.value, sides.allowance);
}

// The baseline's arm is 0. `predicted` is what the policy predicts of every arm.
template <typename AnyGate>
Decision decide(const AnyGate& gate, ArmIndex candidate, double predicted) {
  Decision decision;
  const bool open = is_open(gate);
  decision.choice = open ? Choice::kExplore : Choice::kBaseline;
  decision.arm = open ? candidate : 0;
  decision.centre = predicted;
  decision.baseline_centre = gate.baseline_centre(predicted);
  decision.baseline_chance = open ? gate.least_baseline_chance() : 1.0;
  return decision;
}

template <typename AnyGate>
void reveal(AnyGate& gate, const Decision& decision, double cost) {
  gate.reveal({.features = {},
               .arm = decision.arm,
               .choice = decision.choice,
               .cost = cost,
               .charged = decision.choice == Choice::kExplore,
               .centre = decision.centre,
               .played_baseline = decision.arm == decision.baseline.arm,
               .baseline_centre = decision.baseline_centre,
               .baseline_chance = decision.baseline_chance});
}

template <typename AnyGate>
Decision play(AnyGate& gate, ArmIndex candidate, double predicted, double cost) {
  const Decision decision = decide(gate, candidate, predicted);
  gate.book(decision, gate.charges(decision));
  reveal(gate, decision, cost);
  return decision;
}

// Every cost is 1. In n shut rounds X = α each. ips has the centre ½α once and α from then on:
//   Lb = .1n − .05 + (log(1 + .05λ) − log(2/.025)) / λ,  λ = .75/1.1:  .1n − 6.427806
// dr, told that the baseline costs 1, has nothing to correct; its λ is .75/11:
//   Lb = .1n − log(2/.025) / λ = .1n − 64.269724
// and the gate opens once that is 1.
TEST(EstimatedBaselineGate, OpensWhenTheBoundsSaySo) {
  IpsGate ips({.baseline_floor = kFloor});
  for (int i = 0; i < 75; ++i) EXPECT_EQ(play(ips, 1, 1.0, 1.0).choice, Choice::kBaseline);
  EXPECT_NEAR(ask(ips).allowance, 7.5 - 6.427806, 1e-6);
  EXPECT_EQ(play(ips, 1, 1.0, 1.0).choice, Choice::kExplore);
  DrGate dr({.baseline_floor = kFloor});
  for (int i = 0; i < 653; ++i) EXPECT_EQ(play(dr, 1, 1.0, 1.0).choice, Choice::kBaseline);
  EXPECT_NEAR(ask(dr).allowance, 65.3 - 64.269724, 1e-6);
  EXPECT_EQ(play(dr, 1, 1.0, 1.0).choice, Choice::kExplore);
}

// One more round, open: the member counts its cost of 1 in Ub; X is 0 where another arm was played,
// and 1.1/.1 times the cost where the baseline's was.
TEST(EstimatedBaselineGate, BooksOpenRoundsOnBothSides) {
  for (const ArmIndex arm : {ArmIndex{1}, ArmIndex{0}}) {
    IpsGate gate({.baseline_floor = kFloor});
    BaselineBound baseline({.fall = 1.1, .delta = 0.025});
    for (int i = 0; i < 75; ++i) {
      const Decision decision = play(gate, 1, 1.0, 1.0);
      const BaselineRound shut = {.weight = 0.1, .centre = decision.baseline_centre};
      baseline.add(shut);
      baseline.reveal(shut, 1.0);
    }
    EXPECT_EQ(ask(gate).allowance, baseline.lower());
    play(gate, arm, 1.0, 1.0);
    const BaselineRound open = {.weight = 1.1, .chance = 0.1, .centre = 1.0, .played = arm == 0};
    baseline.add(open);
    if (arm == 0) baseline.reveal(open, 1.0);
    EXPECT_EQ(ask(gate).allowance, baseline.lower());
    EXPECT_EQ(ask(gate).exposure.value, 2.0);
    EXPECT_EQ(ask(gate).exposure.margin, 0.0);
    EXPECT_EQ(*gate.slack(123.0), baseline.lower() - 1.0);
  }
}

TEST(EstimatedBaselineGate, AReserveOfOneOpensItAtOnce) {
  EXPECT_FALSE(is_open(IpsGate({.baseline_floor = kFloor})));
  EXPECT_TRUE(is_open(IpsGate({.reserve = 1.0, .baseline_floor = kFloor})));
  EXPECT_EQ(*IpsGate({.reserve = 1.0, .baseline_floor = kFloor}).slack(0.0), 1.0);
  EXPECT_FALSE(is_open(DrGate({.reserve = 0.999, .baseline_floor = kFloor})));
}

TEST(EstimatedBaselineGate, CentresOnKnownBaselineCostsOrOnThePrediction) {
  IpsGate ips({.baseline_floor = kFloor});
  EXPECT_EQ(ips.baseline_centre(0.9), 0.5);
  play(ips, 1, 0.9, 1.0);
  play(ips, 1, 0.9, 0.5);
  EXPECT_EQ(ips.baseline_centre(0.9), 0.75);
  DrGate dr({.baseline_floor = kFloor});
  play(dr, 1, 0.9, 1.0);
  EXPECT_EQ(dr.baseline_centre(0.9), 0.9);
}

// The costs of other arms say nothing of the baseline's.
TEST(EstimatedBaselineGate, LearnsTheBaselinesCostFromItsOwnArmOnly) {
  IpsGate gate({.reserve = 5.0, .baseline_floor = kFloor});
  EXPECT_EQ(play(gate, 1, 0.5, 1.0).choice, Choice::kExplore);
  EXPECT_EQ(gate.baseline_centre(0.0), 0.5);
  EXPECT_EQ(play(gate, 0, 0.5, 0.25).choice, Choice::kExplore);
  EXPECT_EQ(gate.baseline_centre(0.0), 0.25);
}

TEST(EstimatedBaselineGate, SharesItsDelta) {
  const SharedDelta delta = {.delta = 0.05, .share = 0.25};
  EXPECT_DOUBLE_EQ(delta.of_costs(), 0.0125);
  EXPECT_DOUBLE_EQ(delta.of_baseline(), 0.0375);
  // More for the baseline's bound is a wider bound on what exploration cost, and the reverse.
  IpsGate some({.baseline_floor = kFloor});
  IpsGate more({.delta = delta, .baseline_floor = kFloor});
  for (int i = 0; i < 70; ++i) {
    play(some, 1, 0.5, 1.0);
    play(more, 1, 0.5, 1.0);
  }
  EXPECT_GT(ask(more).allowance, ask(some).allowance);
}

// Late costs end where early ones do, in any order; until then they count against exploration.
TEST(EstimatedBaselineGate, WaitsForCostsThatComeLate) {
  DrGate prompt({.reserve = 30.0, .baseline_floor = kFloor});
  DrGate late({.reserve = 30.0, .baseline_floor = kFloor});
  std::vector<Decision> waiting;
  for (int i = 0; i < 40; ++i) {
    waiting.push_back(decide(late, i % 3 == 0 ? 0 : 1, 0.4));
    late.book(waiting.back(), late.charges(waiting.back()));
  }
  for (const Decision& decision : waiting) {
    prompt.book(decision, prompt.charges(decision));
    reveal(prompt, decision, 0.3);
  }
  EXPECT_LT(*late.slack(0.0), *prompt.slack(0.0));
  for (std::size_t i = waiting.size(); i > 0; --i) reveal(late, waiting[i - 1], 0.3);
  EXPECT_NEAR(*late.slack(0.0), *prompt.slack(0.0), 1e-9);
}

TEST(EstimatedBaselineGate, SavesAndLoadsEveryBit) {
  IpsGate gate({.baseline_floor = kFloor});
  for (int i = 0; i < 100; ++i) play(gate, static_cast<ArmIndex>(i % 2), 0.5, 1.0);
  ByteWriter out;
  gate.save(out);
  IpsGate loaded({.baseline_floor = kFloor});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (int i = 0; i < 20; ++i) {
    play(gate, 0, 0.5, 0.3);
    play(loaded, 0, 0.5, 0.3);
    EXPECT_EQ(ask(gate).allowance, ask(loaded).allowance);
    EXPECT_EQ(*gate.slack(0.0), *loaded.slack(0.0));
  }
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(loaded.load(cut).ok());
}

}  // namespace
}  // namespace handrail
