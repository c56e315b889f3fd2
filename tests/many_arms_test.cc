// Agents whose arms are products: what they take, and that they go on after a save.
#include <gtest/gtest.h>

#include "handrail/agent/agent.h"
#include "tests/product_fixture.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

const std::vector<Factor> kShape = {{3, 2}, {4, 1}, {1, 1}};

AgentSettings settings_for(const std::string& spec) {
  AgentSettings settings;
  settings.agent = spec;
  settings.reserve = 20.0;
  settings.layout = {FeatureShape::kProduct, 4, 1};
  return settings;
}

std::string refusal(const std::string& spec) {
  const Result<Agent> made = Agent::make(settings_for(spec));
  return made.ok() ? "accepted" : made.error().message;
}

TEST(ManyArms, AreRefusedByPoliciesThatLookAtAll) {
  for (const char* name : {"c-squarecb", "linucb", "uniform", "greedy", "epsilon-greedy"}) {
    const std::string message = refusal(name);
    EXPECT_NE(message.find("looks at every arm"), std::string::npos) << message;
    EXPECT_NE(message.find("smooth-igw or spanner-igw"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal("smooth-igw"), "accepted");
  EXPECT_EQ(refusal("c-smooth-igw:oracle=linear"), "accepted");
  EXPECT_EQ(refusal("spanner-igw:gate=certified"), "accepted");
}

TEST(ManyArms, AreRefusedByGatesThatReadFeatures) {
  EXPECT_EQ(refusal("smooth-igw:oracle=ridge,gate=ellipsoid"),
            "gate=ellipsoid reads features that lie in memory as they are; it does not take "
            "products of 4 features");
}

TEST(ManyArms, PoliciesRefuseWhatTheyCannotDo) {
  EXPECT_EQ(refusal("spanner-igw:weighting=relative"),
            "policy=spanner-igw has absolute gaps only; weighting=relative goes with igw and "
            "smooth-igw");
  EXPECT_EQ(refusal("smooth-igw:propensity_draws=1"),
            "propensity_draws is 1; one draw says nothing of its error: 0 or at least 2 was "
            "expected");
  AgentSettings two = settings_for("smooth-igw");
  two.layout.block_count = 2;
  EXPECT_EQ(Agent::make(two).error().message,
            "the layout has 2 blocks; features in products have 1");
}

TEST(ManyArms, ARoundOfAnotherShapeIsRefused) {
  const Agent agent = Agent::make(settings_for("smooth-igw:oracle=ridge")).value();
  const SmallProduct product(kShape, 1);
  Workspace workspace;
  const Round rows = Round::make(product.all_rows(), {.arm = 0, .cost = 0.5}).value();
  EXPECT_EQ(agent.plan(rows, workspace).error().message,
            "the round shows rows of 4 features; this agent was made for products of 4 features");
}

// The features that a decision carries are those of its arm, wherever they lie.
TEST(ManyArms, ADecisionShowsTheFeaturesOfItsArm) {
  Agent agent = Agent::make(settings_for("smooth-igw:oracle=ridge,gate=certified")).value();
  Workspace workspace;
  bool explored = false;
  for (std::uint64_t t = 1; t <= 60; ++t) {
    const SmallProduct product(kShape, t);
    const auto baseline = static_cast<ArmIndex>(t % 12);
    const Decision decision = agent.plan(product.round(baseline), workspace).value();
    const auto row = [&](ArmIndex arm) { return std::span(product.rows).subspan(4 * arm, 4); };
    EXPECT_TRUE(std::ranges::equal(decision.features.features, row(decision.arm)));
    EXPECT_TRUE(std::ranges::equal(decision.baseline_features.features, row(baseline)));
    EXPECT_TRUE(is_in(workspace.support(), baseline));
    EXPECT_EQ(decision.centre,
              workspace.predicted_costs()[place_of(workspace.support(), decision.arm)]);
    explored |= decision.arm != baseline;
    agent.apply(decision);
    agent.apply(agent.accept({.sequence = t, .cost = 0.25}).value());
  }
  EXPECT_TRUE(explored);
}

TEST(ManyArms, ASavedRunGoesOnBitForBit) {
  for (const char* spec : {"c-smooth-igw:oracle=ridge", "smooth-igw:oracle=linear",
                           "spanner-igw:gate=certified", "smooth-igw:width=8,batch=4"}) {
    SCOPED_TRACE(spec);
    const std::vector<std::pair<std::string, std::string>> settings = {
        {"agent", spec}, {"world", "product"}, {"delay", "outcome:2:9"}, {"reserve", "9"}};
    auto whole = run_of(settings);
    advance(whole, 40);
    const std::string expected = trace_of(whole, 30);
    auto first = run_of(settings);
    advance(first, 40);
    const std::string path = temporary_path("save");
    ASSERT_TRUE(first.save(path).ok());
    EnvironmentShelf shelf{CatalogConfig{}};
    Result<handrail::Run> resumed = handrail::Run::resume(path, shelf);
    ASSERT_TRUE(resumed.ok()) << resumed.error().message;
    EXPECT_EQ(trace_of(resumed.value(), 30), expected);
  }
}

// Neither learns in vain: on the same rounds each ends up with less regret than the baseline has.
TEST(ManyArms, AreLearnedAbout) {
  for (const char* spec : {"smooth-igw:oracle=ridge", "spanner-igw"}) {
    auto run = run_of({{"agent", spec}, {"world", "product"}});
    auto baseline = run_of({{"agent", "smooth-igw:gate=shut"}, {"world", "product"}});
    advance(run, 1000);
    advance(baseline, 1000);
    EXPECT_LT(run.metrics().regret(), baseline.metrics().regret()) << spec;
  }
}

}  // namespace
}  // namespace handrail
