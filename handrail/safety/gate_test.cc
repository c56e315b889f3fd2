#include "handrail/safety/gate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "handrail/oracle/learning_parameters.h"
#include "handrail/safety/armwise_gate.h"
#include "handrail/safety/budget_gate.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/checkpoint_gate.h"
#include "handrail/safety/contrast_gate.h"
#include "handrail/safety/ellipsoid_gate.h"
#include "handrail/safety/estimated_baseline_gate.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/paper_gate.h"
#include "handrail/safety/registry.h"
#include "handrail/safety/safeset_gate.h"
#include "handrail/safety/stagewise_gate.h"
#include "handrail/safety/stationary_gate.h"
#include "handrail/safety/trivial_gates.h"

namespace handrail {
namespace {

const std::vector<double> kRows = {1.0, 0.0, 0.0, 1.0, 0.6, 0.8};
const std::vector<double> kCosts = {0.2, 0.4, 0.9};
const FeatureLayout kLayout = {.shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1};
const FeatureLayout kFixedArms = {
    .shape = FeatureShape::kBlock, .feature_count = 2, .block_count = 3};

// The common rows of all gates, at their fallbacks.
ParameterValues fallbacks() {
  ParameterValues values;
  for (const GateEntry* entry : gates()) {
    for (const ParameterSpec* row : entry->common) values.add(*row);
  }
  values.add(kLossRow);
  values.settle(kLossRow, "square");
  return values;
}

std::unique_ptr<Gate> make(const GateEntry& entry, std::string_view members = "risky") {
  ParameterValues values = fallbacks();
  values.add(entry.parameters);
  values.settle(kMembersRow, members);
  const AgentFrame frame = {.layout = entry.traits.needs_fixed_arms ? kFixedArms : kLayout};
  return entry.make(PartFrame(frame, values));
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
  gate.reveal({.features = decision.features,
               .arm = arm,
               .choice = decision.choice,
               .cost = cost,
               .charged = charged,
               .centre = decision.centre});
}

// For what is true of these, and need not be of others.
constexpr std::array kKnown = {&kOpenGate,       &kShutGate,      &kCertifiedGate, &kPaperGate,
                               &kModelGate,      &kEllipsoidGate, &kContrastGate,  &kSafeSetGate,
                               &kCheckpointGate, &kStagewiseGate, &kIpsGate,       &kDrGate,
                               &kStationaryGate, &kArmwiseGate,   &kBudgetGate};

TEST(Gate, OnlyPaperArmwiseAndLinearGatesSayThatTheyReadTheCandidate) {
  for (const GateEntry* entry : kKnown) {
    const bool reads =
        entry == &kPaperGate || entry == &kArmwiseGate || entry->traits.reads_features;
    EXPECT_EQ(entry->traits.reads_candidate, reads) << entry->name;
  }
}

TEST(Gate, OnlyThoseThatSayThatTheyDoReadTheCandidate) {
  for (const GateEntry* entry : gates()) {
    SCOPED_TRACE(entry->name);
    const std::unique_ptr<Gate> made = make(*entry);
    Gate& gate = *made;
    for (int i = 0; i < 60; ++i) {  // past the ellipsoid's cap of m + 1, and the arms' cap of 1
      explore(gate, 1, 0.1);
      explore(gate, 2, 0.1);
    }
    EXPECT_EQ(ask(gate, 0).value != ask(gate, 1).value || ask(gate, 1).value != ask(gate, 2).value,
              entry->traits.reads_candidate);
  }
}

TEST(Gate, OpenExposesNothingAndShutEverything) {
  EXPECT_EQ(ask(*make(kOpenGate), 0).value, 0.0);
  EXPECT_TRUE(std::isinf(ask(*make(kShutGate), 0).value));
  EXPECT_EQ(ask(*make(kShutGate), 0).margin, 0.0);
}

TEST(Gate, OnlyThoseThatChooseMembersLetTheBaselinesOwnArmGoUncharged) {
  const Decision drew_the_baseline = explored(0);
  for (const GateEntry* entry : kKnown) {
    SCOPED_TRACE(entry->name);
    const bool by_arm = entry->traits.chooses_members || entry == &kArmwiseGate;
    EXPECT_EQ(make(*entry)->charges(drew_the_baseline), !by_arm);
    EXPECT_FALSE(make(*entry)->charges(Decision{}));
    EXPECT_TRUE(make(*entry)->charges(explored(1)));
  }
  for (const GateEntry* entry : {&kCertifiedGate, &kSafeSetGate, &kCheckpointGate}) {
    EXPECT_TRUE(entry->traits.chooses_members);
    EXPECT_TRUE(make(*entry, "open")->charges(drew_the_baseline));
  }
}

TEST(Gate, UnchargedRoundsLeaveNoTraceButWithGatesThatLearnFromThem) {
  for (const GateEntry* entry : kKnown) {
    const bool learns =
        entry == &kContrastGate || entry == &kSafeSetGate || entry == &kStagewiseGate;
    if (learns) continue;
    const std::unique_ptr<Gate> made = make(*entry);
    Gate& gate = *made;
    explore(gate, 1, 0.5);
    const double before = ask(gate, 1).value;
    Decision shut;
    shut.features = ArmFeatures::rows(kRows, 2).arm(0);
    EXPECT_FALSE(gate.charges(shut));
    gate.book(shut, false);
    gate.reveal({.features = shut.features,
                 .arm = 0,
                 .choice = shut.choice,
                 .cost = 1.0,
                 .charged = false,
                 .centre = 0.5});
    EXPECT_EQ(ask(gate, 1).value, before);
  }
}

TEST(Gate, EachBooksWhatItsBoundNeeds) {
  const std::unique_ptr<Gate> made_certified = make(kCertifiedGate);
  Gate& certified = *made_certified;
  explore(certified, 1, 0.0);
  EXPECT_EQ(*certified.slack(3.0), 2.0);
  EXPECT_EQ(ask(certified, 0).value, 2.0);
  const std::unique_ptr<Gate> made_paper = make(kPaperGate);
  Gate& paper = *made_paper;
  explore(paper, 1, 0.0);
  EXPECT_DOUBLE_EQ(ask(paper, 2).value, 0.9 + 0.5 + ask(paper, 2).margin);
  const std::unique_ptr<Gate> made_model = make(kModelGate);
  Gate& model = *made_model;
  explore(model, 1, 0.0);
  EXPECT_DOUBLE_EQ(ask(model, 2).value, 0.4 + 1.0 + ask(model, 2).margin);
  for (const GateEntry* entry : gates()) {
    EXPECT_EQ(make(*entry)->slack(1.0).has_value(), entry->traits.certifies);
  }
}

TEST(Gate, OnlyThoseThatEstimateTheBaselineShapeTheDrawAndHaveACentreOfTheirOwn) {
  for (const GateEntry* entry : kKnown) {
    const bool estimates = entry == &kIpsGate || entry == &kDrGate;
    EXPECT_EQ(make(*entry)->least_baseline_chance(), estimates ? 0.1 : 0.0);
    const bool own_centre = entry == &kIpsGate || entry == &kStationaryGate;
    EXPECT_EQ(make(*entry)->baseline_centre(0.3), own_centre ? 0.5 : 0.3);
  }
}

TEST(Gate, SavesAndLoadsEveryBit) {
  for (const GateEntry* entry : gates()) {
    const std::unique_ptr<Gate> made = make(*entry);
    Gate& gate = *made;
    for (int i = 0; i < 20; ++i) explore(gate, static_cast<ArmIndex>(1 + i % 2), 0.3);
    ByteWriter out;
    gate.save(out);
    const std::unique_ptr<Gate> other = make(*entry);
    Gate& loaded = *other;
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
