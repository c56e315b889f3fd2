#include "handrail/eval/comparison_plan.h"

#include <gtest/gtest.h>

#include "handrail/eval/played_run.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

std::vector<std::string> expanded(const std::string& text) {
  std::vector<std::string> texts;
  for (const Spec& spec : expand_grid(parse_spec({.key = "agent", .value = text}).value())) {
    texts.push_back(to_text(spec));
  }
  return texts;
}

TEST(ComparisonPlan, GridsStandForEveryChoiceOfValues) {
  EXPECT_EQ(expanded("a"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(expanded("a:x=1|2,y=3|4"),
            (std::vector<std::string>{"a:x=1,y=3", "a:x=1,y=4", "a:x=2,y=3", "a:x=2,y=4"}));
  EXPECT_GT(expanded("a:x=" + std::string(2000, '|')).size(), 1000u);
}

TEST(ComparisonPlan, CellsGoThroughAgentsFirst) {
  const Result<ComparisonPlan> plan = plan_comparison(settings_from({{"world", "armed"},
                                                                     {"world", "linear"},
                                                                     {"agent", "uniform"},
                                                                     {"agent", "baseline"},
                                                                     {"alpha", "0.1"},
                                                                     {"alpha", "0.2"}}));
  ASSERT_TRUE(plan.ok());
  const std::vector<Cell> cells = cells_of(plan.value());
  ASSERT_EQ(cells.size(), 8u);
  EXPECT_EQ(cells[1], (Cell{.environment = 0, .agent = 1, .alpha = 0}));
  EXPECT_EQ(cells[2], (Cell{.environment = 0, .agent = 0, .alpha = 1}));
  EXPECT_EQ(cells[4].environment, 1u);
}

TEST(ComparisonPlan, AFlagIsForAllAndASpecsOwnKeyWins) {
  const Result<ComparisonPlan> plan =
      plan_comparison(settings_from({{"noise", "none"},
                                     {"world", "armed"},
                                     {"world", "linear:noise=bernoulli"},
                                     {"data", "d:noise=flip:0.2"},
                                     {"agent", "uniform"}}));
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan.value().environments[0].plan.world.values.text("noise"), "none");
  EXPECT_EQ(plan.value().environments[1].plan.world.values.text("noise"), "bernoulli");
  EXPECT_EQ(to_text(plan.value().environments[2].plan.data.noise), "flip:0.2");
}

TEST(ComparisonPlan, AnErrorNamesTheFlagOrTheEnvironmentThatIsToBlame) {
  const auto refusal = [](const std::string& world, const std::string& noise) {
    const Result<ComparisonPlan> plan =
        plan_comparison(settings_from({{"world", world}, {"noise", noise}, {"agent", "uniform"}}));
    return plan.ok() ? "no refusal" : plan.error().message;
  };
  EXPECT_EQ(refusal("armed", "none"), "no refusal");
  EXPECT_EQ(refusal("armd", "none"), "at world: unknown world \"armd\"; did you mean \"armed\"?");
  EXPECT_EQ(refusal("armed", "loud").substr(0, 21), "at noise: world armed");
}

TEST(Checkpoints, HoldTheFirstAndTheLastRoundInOrder) {
  for (const std::uint64_t rounds : {1UL, 2UL, 7UL, 150UL, 1000UL, 20'000UL, 1'000'000UL}) {
    const std::vector<std::uint64_t> points = checkpoints(rounds);
    EXPECT_EQ(points.front(), 1u);
    EXPECT_EQ(points.back(), rounds);
    EXPECT_LE(points.size(), 202u);
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1], points[i]);
  }
  EXPECT_GE(checkpoints(20'000).size(), 170u);
}

}  // namespace
}  // namespace handrail
