#include "handrail/safety/stationary_gate.h"

#include <gtest/gtest.h>

#include <vector>

namespace handrail {
namespace {

Sides ask(const StationaryGate& gate) {
  Scratch scratch;
  return gate.sides({}, 0, scratch);
}

Decision book(StationaryGate& gate, Choice choice, ArmIndex arm) {
  Decision decision;
  decision.choice = choice;
  decision.arm = arm;
  decision.centre = 0.5;
  decision.baseline_centre = gate.baseline_centre(0.9);
  gate.book(decision, gate.charges(decision));
  return decision;
}

void reveal(StationaryGate& gate, const Decision& decision, double cost) {
  gate.reveal({.features = {},
               .arm = decision.arm,
               .choice = decision.choice,
               .cost = cost,
               .charged = gate.charges(decision),
               .centre = decision.centre,
               .played_baseline = decision.arm == 0,
               .baseline_centre = decision.baseline_centre});
}

void play(StationaryGate& gate, Choice choice, ArmIndex arm, double cost) {
  reveal(gate, book(gate, choice, arm), cost);
}

// Every cost is 1, so the centre is ½ once and then 1, and δ_L = .025:
//   Lb_n = n − ½ + (log(1 + .75·½) − log(2/.025)) / .75 = n − 5.918097,   l = 1 − 5.918097/n
// The allowance is (1.1 + .1n)·l, which passes 1 at n = 11: .461991 · 2.2 = 1.016380.
TEST(StationaryGate, OpensWhenTheBoundsSaySo) {
  StationaryGate gate({});
  for (int i = 0; i < 10; ++i) play(gate, Choice::kBaseline, 0, 1.0);
  EXPECT_NEAR(gate.mean_bound(), 0.4081903, 1e-6);
  EXPECT_FALSE(admits(ask(gate).exposure.value, ask(gate).allowance));
  play(gate, Choice::kBaseline, 0, 1.0);
  EXPECT_NEAR(gate.mean_bound(), 0.461991, 1e-6);
  EXPECT_NEAR(ask(gate).allowance, 1.016380, 1e-6);
  EXPECT_EQ(ask(gate).exposure.value, 1.0);
  EXPECT_NEAR(*gate.slack(99.0), 1.1 * 0.461991, 1e-6);
}

// 11 shut rounds and 2 open ones: (1.1·3 + .1·11)·l and (1.1·2 + .1·11)·l, with the reserve.
TEST(StationaryGate, HoldsEveryRoundAgainstTheSameMean) {
  StationaryGate gate({.terms = {.alpha = 0.1, .reserve = 0.5}});
  for (int i = 0; i < 11; ++i) play(gate, Choice::kBaseline, 0, 1.0);
  for (int i = 0; i < 2; ++i) play(gate, Choice::kExplore, 1, 0.0);
  EXPECT_NEAR(ask(gate).allowance, 4.4 * 0.461991 + 0.5, 1e-5);
  EXPECT_EQ(ask(gate).exposure.value, 3.0);
  EXPECT_NEAR(*gate.slack(99.0), 3.3 * 0.461991 + 0.5 - 2.0, 1e-5);
}

// A policy may play the baseline's arm exactly where it is cheap, or dear.
TEST(StationaryGate, LearnsTheMeanFromShutRoundsOnly) {
  StationaryGate gate({});
  for (int i = 0; i < 20; ++i) play(gate, Choice::kBaseline, 0, 1.0);
  const double before = gate.mean_bound();
  for (int i = 0; i < 100; ++i) play(gate, Choice::kExplore, 0, 0.0);
  EXPECT_EQ(gate.mean_bound(), before);
  EXPECT_EQ(gate.baseline_centre(0.3), 1.0);
}

// A centre that follows the features bounds the mean over the features of these rounds, not μ.
TEST(StationaryGate, CentreDoesNotReadThePrediction) {
  const StationaryGate gate({});
  EXPECT_EQ(gate.baseline_centre(0.1), 0.5);
  EXPECT_EQ(gate.baseline_centre(0.9), 0.5);
}

TEST(StationaryGate, MeanBoundNeverFallsAndDoesNotDependOnTheOrderOfFeedback) {
  StationaryGate gate({});
  for (int i = 0; i < 50; ++i) play(gate, Choice::kBaseline, 0, 1.0);
  const double high = gate.mean_bound();
  StationaryGate other = gate;
  std::vector<Decision> waiting;
  for (int i = 0; i < 400; ++i) {
    waiting.push_back(book(gate, Choice::kBaseline, 0));
    other.book(waiting.back(), false);
  }
  EXPECT_EQ(gate.mean_bound(), high);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    reveal(gate, waiting[i], i % 20 == 0 ? 0.0 : 1.0);
    const std::size_t j = waiting.size() - 1 - i;
    reveal(other, waiting[j], j % 20 == 0 ? 0.0 : 1.0);
  }
  EXPECT_GT(gate.mean_bound(), high);
  EXPECT_LT(gate.mean_bound(), 431.0 / 450.0);
  EXPECT_NEAR(gate.mean_bound(), other.mean_bound(), 1e-9);
}

TEST(StationaryGate, SavesAndLoadsEveryBit) {
  StationaryGate gate({});
  for (int i = 0; i < 50; ++i) play(gate, Choice::kBaseline, 0, i % 3 == 0 ? 0.0 : 1.0);
  for (int i = 0; i < 9; ++i) play(gate, Choice::kExplore, 1, 0.3);
  ByteWriter out;
  gate.save(out);
  StationaryGate loaded({});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  play(gate, Choice::kBaseline, 0, 1.0);
  play(loaded, Choice::kBaseline, 0, 1.0);
  EXPECT_EQ(gate.mean_bound(), loaded.mean_bound());
  EXPECT_EQ(ask(gate).allowance, ask(loaded).allowance);
  EXPECT_EQ(*gate.slack(0.0), *loaded.slack(0.0));
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(loaded.load(cut).ok());
}

}  // namespace
}  // namespace handrail
