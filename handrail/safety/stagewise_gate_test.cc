#include "handrail/safety/stagewise_gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/gate_play.h"

namespace handrail {
namespace {

const FeatureLayout kPlane = {FeatureShape::kRows, 2, 1};
const std::vector<double> kAxes = {1.0, 0.0, 0.0, 1.0};

StagewiseGate plane_gate() {
  return {0.1, {.delta = 0.05, .radius = 1.0}, kPlane};
}

GateRound axes_with(double baseline_cost, double allowance = 0.0) {
  return {.features = ArmFeatures::rows(kAxes, 2),
          .baseline = {.arm = 0, .cost = baseline_cost},
          .allowance = allowance};
}

void see(StagewiseGate& gate, ArmIndex arm, double cost) {
  Decision decision;
  decision.arm = arm;
  decision.features = axes_with(0.5).features.arm(arm);
  book(gate, decision);
  reveal(gate, decision, cost);
}

// After 8 rounds of the first arm, 2 of which cost 1, V = diag(9, 1) and θ̂ = (2/9, 0). So the arm
// costs at most 2/9 + β/3 with β = ½√(log 9 + 2 log 20) + 1 = 2.43079, that is 1.03249: the cap.
// After 80 rounds, 20 of them dear, it is 20/81 + β/9 = 0.53706 with β = ½√(log 81 + 2 log 20) + 1
// = 2.61136. The other arm is unknown: 1.
TEST(StagewiseGate, HoldsEachArmsOwnBoundAgainstThisRoundsBaseline) {
  StagewiseGate gate = plane_gate();
  for (int t = 0; t < 8; ++t) see(gate, 0, t % 4 == 0 ? 1.0 : 0.0);
  EXPECT_EQ(ask(gate, axes_with(0.5), 0).exposure.value, 1.0);
  EXPECT_NEAR(ask(gate, axes_with(0.5), 0).exposure.margin, 7.0 / 9.0, 1e-12);
  for (int t = 0; t < 72; ++t) see(gate, 0, t % 4 == 0 ? 1.0 : 0.0);
  const double beta = 0.5 * std::sqrt(std::log(81.0) + 2.0 * std::log(20.0)) + 1.0;
  const Sides known = ask(gate, axes_with(0.5), 0);
  EXPECT_NEAR(known.exposure.value, 20.0 / 81.0 + beta / 9.0, 1e-12);
  EXPECT_NEAR(known.exposure.value, 0.53706, 5e-6);
  EXPECT_NEAR(known.exposure.margin, beta / 9.0, 1e-12);
  EXPECT_EQ(known.allowance, (1.0 + 0.1) * 0.5);
  EXPECT_EQ(decide(gate, axes_with(0.5), 0).choice, Choice::kExplore);    // 0.55
  EXPECT_EQ(decide(gate, axes_with(0.48), 0).choice, Choice::kBaseline);  // 0.528
  EXPECT_EQ(ask(gate, axes_with(0.5), 1).exposure.value, 1.0);
  EXPECT_EQ(decide(gate, axes_with(0.9), 1).choice, Choice::kBaseline);  // 0.99
  EXPECT_EQ(decide(gate, axes_with(0.92), 1).choice, Choice::kExplore);  // 1.012: any cost will do
}

// Whatever the ledger allows, and however much was explored: the next round is judged alone.
TEST(StagewiseGate, BanksNothing) {
  StagewiseGate gate = plane_gate();
  for (int t = 0; t < 100; ++t) see(gate, 0, 0.0);
  const Sides before = ask(gate, axes_with(0.5), 0);
  for (int t = 0; t < 100; ++t) book(gate, decide(gate, axes_with(0.5), 0));
  EXPECT_EQ(ask(gate, axes_with(0.5, 1000.0), 0).exposure.value, before.exposure.value);
  EXPECT_EQ(ask(gate, axes_with(0.5, 1000.0), 0).allowance, before.allowance);
  EXPECT_EQ(gate.slack(1000.0), std::nullopt);
}

// The baseline's arm tells nothing of an arm whose features it never has.
TEST(StagewiseGate, StaysShutToWhatTheFallbackNeverShows) {
  StagewiseGate gate = plane_gate();
  for (int t = 0; t < 5000; ++t) see(gate, 0, 0.0);
  EXPECT_EQ(ask(gate, axes_with(0.5), 1).exposure.value, 1.0);
}

TEST(StagewiseGate, ChargesTheCapForExtremeFeatures) {
  for (const double size : {1e10, 1e160, 1e300, 1.7e308}) {
    StagewiseGate gate = plane_gate();
    const std::vector<double> rows = {size, -size};
    const GateRound round = {.features = ArmFeatures::rows(rows, 2),
                             .baseline = {.arm = 0, .cost = 0.5}};
    EXPECT_EQ(ask(gate, round, 0).exposure.value, 1.0) << size;
  }
}

TEST(StagewiseGate, GoesOnAfterLoading) {
  StagewiseGate gate = plane_gate();
  for (int t = 0; t < 30; ++t) see(gate, t % 2 == 0 ? 0 : 1, 0.1);
  ByteWriter out;
  gate.save(out);
  StagewiseGate copy = plane_gate();
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy.load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (const ArmIndex arm : {0u, 1u}) {
    EXPECT_EQ(ask(copy, axes_with(0.5), arm).exposure.value,
              ask(gate, axes_with(0.5), arm).exposure.value);
  }
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader cut(out.bytes().substr(0, length));
    ASSERT_FALSE(copy.load(cut).ok()) << length;
  }
}

}  // namespace
}  // namespace handrail
