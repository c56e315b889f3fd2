#include "handrail/safety/safeset_gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/dense_ridge.h"
#include "tests/gate_play.h"

namespace handrail {
namespace {

const FeatureLayout kPlane = {FeatureShape::kRows, 2, 1};
const std::vector<double> kAxes = {1.0, 0.0, 0.0, 1.0};

GateRound axes_with(double allowance) {
  return {.features = ArmFeatures::rows(kAxes, 2),
          .baseline = {.arm = 0, .cost = 0.5},
          .allowance = allowance};
}

// Baseline rounds on the first axis that cost nothing: uncharged, and learned from.
void see_free_baseline(SafeSetGate& gate, int count) {
  for (int t = 0; t < count; ++t) {
    const Decision decision = decide(gate, axes_with(0.0), 1);
    EXPECT_FALSE(gate.charges(decision));
    book(gate, decision);
    reveal(gate, decision, 0.0);
  }
}

// The β of V = diag(n + 1, 1) at δ/2 = 0.025: half of δ is the other bound's.
double half_delta_beta(double n) {
  return 0.5 * std::sqrt(std::log(n + 1.0) + 2.0 * std::log(40.0)) + 1.0;
}

TEST(SafeSetGate, BoundsAnUnknownArmByTheCap) {
  const SafeSetGate gate({}, kPlane);
  for (const ArmIndex arm : {0u, 1u}) {
    const Sides sides = ask(gate, axes_with(0.7), arm);
    EXPECT_EQ(sides.exposure.value, 1.0);
    EXPECT_EQ(sides.exposure.margin, 1.0);
    EXPECT_EQ(sides.allowance, 0.7);
  }
}

// After 100 free rounds on the first axis its arm costs at most β/√101 = 0.27180, by hand; the
// other arm still costs at most 1. So with an allowance of 0.5 the safe set has one arm.
TEST(SafeSetGate, HoldsTheArmsWhoseOwnBoundFits) {
  SafeSetGate gate({}, kPlane);
  see_free_baseline(gate, 100);
  const Sides known = ask(gate, axes_with(0.5), 0);
  EXPECT_NEAR(known.exposure.value, 0.27180, 5e-6);
  EXPECT_NEAR(known.exposure.value, half_delta_beta(100.0) / std::sqrt(101.0), 1e-12);
  EXPECT_NEAR(known.exposure.margin, known.exposure.value, 1e-12);
  EXPECT_EQ(ask(gate, axes_with(0.5), 1).exposure.value, 1.0);
  EXPECT_EQ(decide(gate, axes_with(0.5), 0).choice, Choice::kExplore);
  EXPECT_EQ(decide(gate, axes_with(0.5), 1).choice, Choice::kBaseline);
}

// One charged round counts 1 until more is known, and the margin says what of that was not seen.
TEST(SafeSetGate, AddsWhatTheChargedRoundsMayHaveCost) {
  SafeSetGate gate({}, kPlane);
  see_free_baseline(gate, 100);
  const Decision charged = decide(gate, axes_with(1.0), 1);
  ASSERT_TRUE(gate.charges(charged));
  book(gate, charged);
  EXPECT_NEAR(ask(gate, axes_with(1.0), 0).exposure.value,
              1.0 + half_delta_beta(100.0) / std::sqrt(101.0), 1e-12);
  EXPECT_EQ(*gate.slack(3.0), 2.0);
  reveal(gate, charged, 0.0);
  EXPECT_EQ(*gate.slack(3.0), 2.0);
  // V = diag(101, 2): the margin is all of Ub, since nothing was seen to cost anything.
  const double beta = 0.5 * std::sqrt(std::log(202.0) + 2.0 * std::log(40.0)) + 1.0;
  EXPECT_NEAR(ask(gate, axes_with(1.0), 0).exposure.margin, 1.0 + beta / std::sqrt(101.0), 1e-12);
}

TEST(SafeSetGate, ChargesAsItsMembersSay) {
  const SafeSetGate risky({.members = Members::kRisky}, kPlane);
  const SafeSetGate open({.members = Members::kOpen}, kPlane);
  const Decision plays_the_baseline = decide(risky, axes_with(2.0), 0);
  EXPECT_EQ(plays_the_baseline.choice, Choice::kExplore);
  EXPECT_FALSE(risky.charges(plays_the_baseline));
  EXPECT_TRUE(open.charges(plays_the_baseline));
}

// Played at random: against the certified gate at δ/2, which bounds the same rounds, and against
// the bound on each arm from dense matrices. Where that gate is open every arm is safe; where it is
// shut, whatever is safe leaves less than the cap. An arm is as safe as any that is bounded higher.
struct Counts {
  int all_safe = 0;
  int some_safe = 0;
  int none_safe = 0;
};

void compare_with_certified(std::uint64_t seed, Counts& counts) {
  RandomStream stream(seed, Purpose::kTest, 52);
  const EllipsoidConfig config = {.lambda = 0.5, .sigma = 0.1, .delta = 0.9, .radius = 0.3};
  SafeSetGate gate({.delta = 0.1, .ellipsoid = config}, kPlane);
  CertifiedGate certified(0.05, BoundKind::kMinimum, Members::kRisky);
  DenseRidge ridge = {.lambda = 0.5, .size = 2};
  for (int t = 0; t < 120; ++t) {
    std::vector<double> rows;
    for (int arm = 0; arm < 4; ++arm) {
      for (const double value : random_row(stream, 2)) rows.push_back(value);
    }
    const double allowance = certified.cost_bound() + 1.2 * stream.uniform();
    const GateRound round = {
        .features = ArmFeatures::rows(rows, 2), .baseline = {.arm = 0}, .allowance = allowance};
    const double certified_exposure = certified.exposure().value;
    const double beta =
        0.1 * std::sqrt(ridge.log_det() + 2.0 * std::log(20.0)) + std::sqrt(0.5) * 0.3;
    int safe = 0;
    for (ArmIndex arm = 0; arm < 4; ++arm) {
      const std::vector<double> phi = stacked(round.features.arm(arm), kPlane);
      const double upper = inner(phi, ridge.theta()) + beta * std::sqrt(ridge.squared_norm(phi));
      const Sides sides = ask(gate, round, arm);
      ASSERT_NEAR(sides.exposure.value, certified.cost_bound() + std::min(1.0, upper), 1e-9);
      ASSERT_LE(sides.exposure.value, certified_exposure);
      safe += admits(sides.exposure.value, sides.allowance) ? 1 : 0;
    }
    const int least = admits(certified_exposure, allowance) ? 4 : 0;
    ASSERT_GE(safe, least);
    ++(safe == 4 ? counts.all_safe : safe > 0 ? counts.some_safe : counts.none_safe);
    const Decision decision = decide(gate, round, static_cast<ArmIndex>(stream.below(4)));
    const double cost = 0.3 * stream.uniform();
    book(gate, decision);
    book(certified, decision);
    reveal(gate, decision, cost);
    reveal(certified, decision, cost);
    ridge.add(stacked(decision.features, kPlane), cost);
    ASSERT_EQ(gate.slack(3.0), certified.slack(3.0));
  }
}

TEST(SafeSetGate, HasEveryArmWhereCertifiedIsOpenAndSomeWhereItIsShut) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_certified(seed, counts);
  }
  EXPECT_GT(counts.all_safe, 50);
  EXPECT_GT(counts.some_safe, 50);
  EXPECT_GT(counts.none_safe, 50);
}

TEST(SafeSetGate, ChargesTheCapForExtremeFeatures) {
  for (const double size : {1e10, 1e160, 1e300, 1.7e308}) {
    SCOPED_TRACE(size);
    SafeSetGate gate({}, kPlane);
    const std::vector<double> rows = {size, -size};
    const GateRound round = {
        .features = ArmFeatures::rows(rows, 2), .baseline = {}, .allowance = 0.9};
    for (int t = 0; t < 3; ++t) {
      EXPECT_EQ(ask(gate, round, 0).exposure.value, 1.0);
      const Decision decision = decide(gate, round, 0);
      book(gate, decision);
      reveal(gate, decision, 0.0);
    }
  }
}

TEST(SafeSetGate, GoesOnAfterLoading) {
  SafeSetGate gate({}, kPlane);
  see_free_baseline(gate, 30);
  const Decision charged = decide(gate, axes_with(1.0), 1);
  book(gate, charged);
  ByteWriter out;
  gate.save(out);
  SafeSetGate copy({}, kPlane);
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy.load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (SafeSetGate* each : {&gate, &copy}) reveal(*each, charged, 0.25);
  for (const ArmIndex arm : {0u, 1u}) {
    EXPECT_EQ(ask(copy, axes_with(1.0), arm).exposure.value,
              ask(gate, axes_with(1.0), arm).exposure.value);
  }
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader cut(out.bytes().substr(0, length));
    ASSERT_FALSE(copy.load(cut).ok()) << length;
  }
}

}  // namespace
}  // namespace handrail
