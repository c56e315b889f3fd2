#include "handrail/eval/run.h"

#include <gtest/gtest.h>

#include "handrail/agent/save_file.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

// Two arms and costs that a test can foresee: arm 0, the baseline's, costs 0.5, arm 1 costs 0.25.
// All costs of a group of three rounds arrive together, after the last of them.
class GroupedEnvironment final : public Environment {
 public:
  std::string name() const override { return "grouped"; }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }
  BaselineKnown baseline_known() const override { return BaselineKnown::kPerRound; }
  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kRows, .feature_count = 2};
  }
  std::size_t arm_count() const override { return 2; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    const double x = 1.0 / static_cast<double>(t + 1);
    out.t = t;
    out.arm_count = 2;
    out.features = {x, 0.5, 1.0 - x, 0.25};
    out.baseline = {.arm = 0, .cost = 0.5};
    out.expected_costs = {0.5, 0.25};
  }
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    const double cost = round.t % 2 == 0 ? 0.9 : 0.1;
    return {.cost = arm == 0 ? cost : 1.0 - cost, .arrives = (round.t + 2) / 3 * 3};
  }
};

Agent agent_for(const Environment& environment, const std::string& spec) {
  Result<Agent> agent = Agent::make({.agent = spec, .layout = environment.layout()});
  EXPECT_TRUE(agent.ok()) << agent.error().message;
  return std::move(agent).value();
}

// Plays three rounds by hand and delivers their costs in the given order.
Agent three_rounds(const std::vector<std::uint64_t>& order) {
  const GroupedEnvironment environment;
  Agent agent = agent_for(environment, "squarecb:oracle=linear");
  Workspace workspace;
  EnvironmentRound round;
  std::vector<double> costs = {0.0};
  for (std::uint64_t t = 1; t <= 3; ++t) {
    environment.fill(t, round);
    const Decision decision = agent.plan(round_of(round, environment.layout()), workspace).value();
    agent.apply(decision);
    costs.push_back(environment.outcome(round, decision.arm).cost);
  }
  for (const std::uint64_t t : order) {
    agent.apply(agent.accept({.sequence = t, .cost = costs[t]}).value());
  }
  return agent;
}

TEST(Run, DeliversCostsThatArriveTogetherInTheOrderOfTheirDecisions) {
  const GroupedEnvironment environment;
  handrail::Run run(std::make_unique<GroupedEnvironment>(),
                    agent_for(environment, "squarecb:oracle=linear"));
  advance(run, 2);
  EXPECT_EQ(run.agent().account().pending, 2u);
  run.advance();
  EXPECT_EQ(run.agent().account().pending, 0u);
  EXPECT_EQ(run.agent().state(), three_rounds({1, 2, 3}).state());
  // The learner is one that the order matters to, or the line above would say nothing.
  EXPECT_NE(run.agent().state(), three_rounds({3, 2, 1}).state());
}

TEST(Run, CountsExpectedCostsAndNotObservedOnes) {
  const GroupedEnvironment environment;
  handrail::Run run(std::make_unique<GroupedEnvironment>(), agent_for(environment, "uniform"));
  int second_arm = 0;
  for (int t = 1; t <= 20; ++t) {
    run.advance();
    second_arm += run.record().decision.arm == 1 ? 1 : 0;
    EXPECT_EQ(run.record().best_cost, 0.25);
  }
  ASSERT_GT(second_arm, 0);
  EXPECT_EQ(run.rounds(), 20u);
  EXPECT_DOUBLE_EQ(run.metrics().cost_sum(), 0.5 * (20 - second_arm) + 0.25 * second_arm);
  EXPECT_DOUBLE_EQ(run.metrics().regret(), 0.25 * (20 - second_arm));
  EXPECT_EQ(run.metrics().promised().baseline_cost_sum(), 10.0);
  EXPECT_FALSE(run.min_slack().has_value());  // no certified gate
}

TEST(Run, LeastSlackIsTheLeastOfItsRounds) {
  auto run = run_of({{"agent", "uniform:gate=certified"}, {"world", "armed:arms=4"}});
  double least = 1e9;
  for (int t = 0; t < 200; ++t) {
    run.advance();
    least = std::min(least, run.record().slack.value());
    EXPECT_EQ(run.min_slack(), least);
  }
}

TEST(Run, SaysBeforehandThatADecisionWillBeGivenUp) {
  auto run = run_of({{"agent", "uniform:pending_limit=3"}, {"delay", "5"}});
  advance(run, 3);
  EXPECT_EQ(run.agent().account().given_up, 0u);
  EXPECT_TRUE(run.next_gives_up());
  run.advance();
  EXPECT_EQ(run.agent().account().given_up, 1u);
  // The cost of what was given up comes and is refused; the run goes on.
  advance(run, 20);
  EXPECT_EQ(run.agent().account().pending, 3u);
  auto punctual = run_of({{"agent", "uniform:pending_limit=3"}, {"delay", "2"}});
  for (int t = 0; t < 20; ++t) {
    EXPECT_FALSE(punctual.next_gives_up());
    punctual.advance();
  }
}

TEST(Run, ResumesWithWhatIsUnderWay) {
  const std::string path = temporary_path("save");
  auto whole = run_of({{"agent", "c-fastcb:oracle=linear"},
                       {"world", "linear:arms=4,dim=3,delay=outcome:5:300"},
                       {"alpha", "0.5"}});
  advance(whole, 100);
  ASSERT_TRUE(whole.save(path).ok());
  EnvironmentShelf shelf{CatalogConfig{}};
  Result<handrail::Run> resumed = handrail::Run::resume(path, shelf);
  ASSERT_TRUE(resumed.ok()) << resumed.error().message;
  handrail::Run& second = resumed.value();
  EXPECT_GT(whole.agent().pending().size(), 10u);
  EXPECT_EQ(second.agent().pending(), whole.agent().pending());
  EXPECT_EQ(second.rounds(), 100u);
  EXPECT_EQ(second.min_slack(), whole.min_slack());
  for (int t = 0; t < 300; ++t) {
    whole.advance();
    second.advance();
    ASSERT_EQ(trace_line(second.record(), {}), trace_line(whole.record(), {}));
  }
  EXPECT_EQ(second.agent().state(), whole.agent().state());
  EXPECT_EQ(second.metrics().regret(), whole.metrics().regret());
}

// What resume() says of a file that holds these two states.
std::string refusal(const std::string& agent, const std::string& run) {
  const std::string path = temporary_path("bad");
  EXPECT_TRUE(write_save(path, {.agent = agent, .run = run}).ok());
  EnvironmentShelf shelf{CatalogConfig{}};
  const Result<Run> resumed = Run::resume(path, shelf);
  EXPECT_FALSE(resumed.ok());
  if (resumed.ok()) return "";
  const std::string& message = resumed.error().message;
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  return message.substr(path.size() + 2);
}

TEST(Run, RefusesToResumeFromPartsThatDoNotFitTogether) {
  const std::string path = temporary_path("save");
  auto run = run_of({{"agent", "uniform"}, {"world", "armed:arms=3"}});
  advance(run, 5);
  ASSERT_TRUE(run.save(path).ok());
  const SaveFile save = read_save(path).value();
  EXPECT_EQ(refusal(save.agent, ""),
            "holds an agent that was saved alone, not a run to go on with");
  EXPECT_NE(refusal(save.agent, save.run + "x").find("bytes left over"), std::string::npos);
  EXPECT_NE(refusal(save.agent + "x", save.run).find("bytes left over"), std::string::npos);
  for (std::size_t length = 1; length < save.run.size(); ++length) {
    refusal(save.agent, save.run.substr(0, length));
  }
  std::string unknown = save.run;
  unknown[8] = 'z';  // the first letter of the world's name
  EXPECT_NE(refusal(save.agent, unknown).find("unknown world"), std::string::npos);
  run.advance();
  EXPECT_NE(refusal(run.agent().state(), save.run).find("rounds and decisions apart"),
            std::string::npos);
  auto other = run_of({{"agent", "uniform"}, {"world", "armed:arms=4"}});
  advance(other, 5);
  EXPECT_NE(refusal(other.agent().state(), save.run).find("another layout"), std::string::npos);
}

TEST(Run, RefusesAnAgentThatWasSavedAlone) {
  const std::string path = temporary_path("agent");
  const auto run = run_of({{"agent", "uniform"}});
  ASSERT_TRUE(run.agent().save(path).ok());
  EnvironmentShelf shelf{CatalogConfig{}};
  EXPECT_EQ(handrail::Run::resume(path, shelf).error().message,
            path + ": holds an agent that was saved alone, not a run to go on with");
  EXPECT_TRUE(Agent::load(path).ok());
}

}  // namespace
}  // namespace handrail
