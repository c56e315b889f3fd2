#include "handrail/safety/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace handrail {
namespace {

const std::vector<double> kRows = {1.0, 0.0, 0.0, 1.0, 0.6, 0.8};
const std::vector<double> kCosts = {0.2, 0.4, 0.9};
const FeatureLayout kLayout = {.shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1};
const FeatureLayout kFixedArms = {
    .shape = FeatureShape::kBlock, .feature_count = 2, .block_count = 3};

Gate make(GateKind kind, Members members = Members::kRisky) {
  GateConfig config;
  config.kind = kind;
  config.members = members;
  return Gate(config, traits_of(kind).needs_fixed_arms ? kFixedArms : kLayout);
}

Exposure ask(const Gate& gate, ArmIndex candidate) {
  Scratch scratch;
  const ArmFeatures features = ArmFeatures::rows(kRows, 2);
  return gate.sides({.features = &features, .baseline = {}, .costs = kCosts}, candidate, scratch)
      .exposure;
}

Decision explored(ArmIndex arm) {
  Decision decision;
  decision.choice = Choice::kExplore;
  decision.arm = arm;
  decision.centre = kCosts[arm];
  decision.predicted_cost = 0.5;
  decision.features = ArmFeatures::rows(kRows, 2).arm(arm);
  decision.baseline_features = ArmFeatures::rows(kRows, 2).arm(0);
  return decision;
}

void explore(Gate& gate, ArmIndex arm, double cost) {
  const Decision decision = explored(arm);
  const bool charged = gate.charges(decision);
  gate.book(decision, charged);
  const Observation observation = {
      .features = decision.features, .arm = arm, .choice = decision.choice, .cost = cost};
  gate.reveal({.observation = observation, .charged = charged, .centre = decision.centre});
}

const std::vector<GateKind> kAllKinds = [] {
  std::vector<GateKind> kinds;
  for (std::size_t i = 0; i < gate_words().size(); ++i) kinds.push_back(static_cast<GateKind>(i));
  return kinds;
}();

TEST(Gate, OnlyPaperArmwiseAndLinearGatesReadTheCandidate) {
  for (const GateKind kind : kAllKinds) {
    SCOPED_TRACE(to_text(kind));
    Gate gate = make(kind);
    for (int i = 0; i < 60; ++i) {  // past the ellipsoid's cap of m + 1, and the arms' cap of 1
      explore(gate, 1, 0.1);
      explore(gate, 2, 0.1);
    }
    const bool reads =
        kind == GateKind::kPaper || kind == GateKind::kArmwise || gate.traits().reads_features;
    EXPECT_EQ(gate.traits().reads_candidate, reads);
    EXPECT_EQ(ask(gate, 0).value != ask(gate, 1).value || ask(gate, 1).value != ask(gate, 2).value,
              reads);
  }
}

TEST(Gate, OpenExposesNothingAndShutEverything) {
  EXPECT_EQ(ask(make(GateKind::kOpen), 0).value, 0.0);
  EXPECT_TRUE(std::isinf(ask(make(GateKind::kShut), 0).value));
  EXPECT_EQ(ask(make(GateKind::kShut), 0).margin, 0.0);
}

TEST(Gate, OnlyThoseThatChooseMembersLetTheBaselinesOwnArmGoUncharged) {
  const Decision drew_the_baseline = explored(0);
  for (const GateKind kind : kAllKinds) {
    SCOPED_TRACE(to_text(kind));
    const bool by_arm = traits_of(kind).chooses_members || kind == GateKind::kArmwise;
    EXPECT_EQ(make(kind).charges(drew_the_baseline), !by_arm);
    EXPECT_FALSE(make(kind).charges(Decision{}));
    EXPECT_TRUE(make(kind).charges(explored(1)));
  }
  for (const GateKind kind : {GateKind::kCertified, GateKind::kSafeSet, GateKind::kCheckpoint}) {
    EXPECT_TRUE(traits_of(kind).chooses_members);
    EXPECT_TRUE(make(kind, Members::kOpen).charges(drew_the_baseline));
  }
}

TEST(Gate, UnchargedRoundsLeaveNoTraceButWithGatesThatLearnFromThem) {
  for (const GateKind kind : kAllKinds) {
    const bool learns =
        kind == GateKind::kContrast || kind == GateKind::kSafeSet || kind == GateKind::kStagewise;
    if (learns) continue;
    Gate gate = make(kind);
    explore(gate, 1, 0.5);
    const double before = ask(gate, 1).value;
    Decision shut;
    shut.features = ArmFeatures::rows(kRows, 2).arm(0);
    EXPECT_FALSE(gate.charges(shut));
    gate.book(shut, false);
    const Observation observation = {
        .features = shut.features, .arm = 0, .choice = shut.choice, .cost = 1.0};
    gate.reveal({.observation = observation, .charged = false, .centre = 0.5});
    EXPECT_EQ(ask(gate, 1).value, before);
  }
}

TEST(Gate, EachBooksWhatItsBoundNeeds) {
  Gate certified = make(GateKind::kCertified);
  explore(certified, 1, 0.0);
  EXPECT_EQ(*certified.slack(3.0), 2.0);
  EXPECT_EQ(ask(certified, 0).value, 2.0);
  Gate paper = make(GateKind::kPaper);
  explore(paper, 1, 0.0);
  EXPECT_DOUBLE_EQ(ask(paper, 2).value, 0.9 + 0.5 + ask(paper, 2).margin);
  Gate model = make(GateKind::kModel);
  explore(model, 1, 0.0);
  EXPECT_DOUBLE_EQ(ask(model, 2).value, 0.4 + 1.0 + ask(model, 2).margin);
  for (const GateKind kind : kAllKinds) {
    EXPECT_EQ(make(kind).slack(1.0).has_value(), make(kind).traits().certifies);
  }
}

TEST(Gate, OnlyThoseThatEstimateTheBaselineShapeTheDrawAndHaveACentreOfTheirOwn) {
  for (const GateKind kind : kAllKinds) {
    const bool estimates = kind == GateKind::kIps || kind == GateKind::kDr;
    EXPECT_EQ(make(kind).baseline_floor(), estimates ? 0.1 : 0.0);
    const bool own_centre = kind == GateKind::kIps || kind == GateKind::kStationary;
    EXPECT_EQ(make(kind).baseline_centre(0.3), own_centre ? 0.5 : 0.3);
  }
}

TEST(Gate, SavesAndLoadsEveryBit) {
  for (const GateKind kind : kAllKinds) {
    Gate gate = make(kind);
    for (int i = 0; i < 20; ++i) explore(gate, static_cast<ArmIndex>(1 + i % 2), 0.3);
    ByteWriter out;
    gate.save(out);
    Gate loaded = make(kind);
    ByteReader in(out.bytes());
    ASSERT_TRUE(loaded.load(in).ok());
    EXPECT_TRUE(in.at_end());
    explore(gate, 2, 0.7);
    explore(loaded, 2, 0.7);
    for (ArmIndex arm = 0; arm < 3; ++arm) EXPECT_EQ(ask(loaded, arm).value, ask(gate, arm).value);
  }
}

}  // namespace
}  // namespace handrail
