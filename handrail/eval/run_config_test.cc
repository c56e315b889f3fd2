#include "handrail/eval/run_config.h"

#include <gtest/gtest.h>

#include "handrail/agent/config.h"
#include "handrail/oracle/linear.h"
#include "handrail/oracle/ridge.h"
#include "handrail/policy/linucb.h"
#include "handrail/safety/trivial_gates.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

RunConfig config_of(const Pairs& pairs) {
  const Result<RunConfig> config = read_run(settings_from(pairs));
  EXPECT_TRUE(config.ok()) << config.error().message;
  return config.value();
}

std::string refusal(const Pairs& pairs) {
  const Result<RunConfig> config = read_run(settings_from(pairs));
  return config.ok() ? "no refusal" : config.error().message;
}

AgentConfig agent_of(const Pairs& pairs) {
  return config_of(pairs).agent;
}

TEST(RunConfig, NothingSaidMeansTheDefaults) {
  const RunConfig config = config_of({});
  EXPECT_EQ(config.agent.preset, "c-squarecb");
  EXPECT_EQ(config.settings.alpha, 0.1);
  EXPECT_EQ(config.settings.delta, 0.05);
  EXPECT_EQ(config.rounds, 10'000u);
  EXPECT_EQ(to_spec(config.environment.world),
            "linear:arms=10,dim=10,rank=4,noise=bernoulli,delay=none");
}

TEST(RunConfig, TheSeedIsTheWorldsAndTheAgents) {
  EXPECT_EQ(config_of({{"seed", "7"}}).settings.seed, 7u);
  auto one = run_of({{"seed", "7"}});
  auto other = run_of({{"seed", "8"}});
  one.advance();
  other.advance();
  EXPECT_NE(one.record().round.features, other.record().round.features);
}

TEST(RunConfig, TheAgentIsMadeForTheEnvironment) {
  EXPECT_EQ(run_of({{"world", "linear:dim=10"}}).agent().settings().layout.feature_count, 11u);
}

TEST(RunConfig, LaterSettingsOverrideEarlierOnes) {
  EXPECT_EQ(config_of({{"alpha", "1"}, {"alpha", "2"}}).settings.alpha, 2.0);
  EXPECT_EQ(config_of({{"rounds", "5"}, {"rounds", "6"}}).rounds, 6u);
  EXPECT_EQ(agent_of({{"agent.floor", "0.1"}, {"agent.floor", "0.2"}}).common.number("floor"), 0.2);
  EXPECT_EQ(agent_of({{"agent", "uniform"}, {"agent", "linucb"}}).policy, &kLinUcbPolicy);
}

TEST(RunConfig, PartsAreSetOverAWholeSpecAndAWholeSpecForgetsThem) {
  const Pairs whole_last = {{"agent.floor", "0.1"}, {"agent", "fastcb:oracle=ridge"}};
  EXPECT_EQ(agent_of(whole_last).common.number("floor"), 0.0);
  EXPECT_EQ(agent_of(whole_last).oracle, &kRidgeOracle);
  const Pairs parts_last = {{"agent", "fastcb:oracle=ridge,floor=0.3"}, {"agent.floor", "0.1"}};
  EXPECT_EQ(agent_of(parts_last).common.number("floor"), 0.1);
  EXPECT_EQ(agent_of(parts_last).oracle, &kRidgeOracle);
  const Pairs name_last = {{"agent.oracle", "linear"}, {"agent.preset", "squarecb"}};
  EXPECT_EQ(agent_of(name_last).oracle, &kLinearOracle);
  EXPECT_EQ(agent_of(name_last).gate, &kOpenGate);
  EXPECT_EQ(config_of({{"world", "armed:arms=4"}, {"world.arms", "5"}})
                .environment.world.values.count("arms"),
            5u);
  EXPECT_EQ(
      config_of({{"world.arms", "5"}, {"world", "armed"}}).environment.world.values.count("arms"),
      10u);
}

TEST(RunConfig, FlagsOfTheWorldOverrideItsSpec) {
  const RunConfig config = config_of({{"noise", "none"},
                                      {"delay", "3"},
                                      {"baseline", "rank:2"},
                                      {"world", "armed:arms=5,delay=9,noise=bernoulli,rank=1"}});
  EXPECT_EQ(to_spec(config.environment.world), "armed:arms=5,rank=2,noise=none,delay=3");
}

TEST(RunConfig, EveryRefusalNamesItsPlaceAndItsValue) {
  EXPECT_EQ(refusal({{"alpha", "x"}}),
            "at alpha: alpha is \"x\"; a number in (0, 1e+06] was expected");
  EXPECT_EQ(refusal({{"rounds", "0"}}),
            "at rounds: rounds is \"0\"; a whole number in [1, 1099511627775] was expected");
  EXPECT_EQ(refusal({{"roundz", "3"}}),
            "at roundz: unknown key \"roundz\"; did you mean \"rounds\"?");
  EXPECT_EQ(refusal({{"agent", ""}}), "at agent: agent is empty; a SPEC was expected");
  EXPECT_EQ(refusal({{"agent.flor", "0"}}),
            "at agent.flor: unknown key \"flor\"; did you mean \"floor\"?");
  EXPECT_EQ(refusal({{"agent.floor", "2"}}),
            "at agent.floor: floor is \"2\"; a number in [0, 1] was expected");
  EXPECT_EQ(refusal({{"agent.floor", "0,gate=open"}}),
            "at agent.floor: agent.floor is \"0,gate=open\"; a value without commas was expected");
  EXPECT_EQ(refusal({{"noise", "flip:0.1"}}).substr(0, 10), "at noise: ");
  EXPECT_EQ(refusal({{"agent", "uniform"}, {"world.arms", "0"}}).substr(0, 15), "at world.arms: ");
}

std::string difference(const Run& run, const Pairs& pairs) {
  EnvironmentShelf shelf{CatalogConfig{}};
  const Status same = check_same_run(run, settings_from(pairs), shelf);
  return same.ok() ? "" : same.error().message;
}

TEST(RunConfig, SameRunIsJudgedByAllSettingsTogether) {
  const auto run = run_of({{"agent", "c-squarecb:oracle=ridge,floor=0.1"},
                           {"world", "armed:arms=4,delay=5"},
                           {"alpha", "0.2"}});
  EXPECT_EQ(difference(run, {}), "");
  EXPECT_EQ(difference(run, {{"rounds", "7"}}), "");
  EXPECT_EQ(difference(run, {{"world", "armed:arms=4"}, {"delay", "5"}}), "");
  EXPECT_EQ(difference(run, {{"world.arms", "4"}, {"alpha", "0.20"}}), "");
  EXPECT_EQ(
      difference(
          run, {{"agent.preset", "c-squarecb"}, {"agent.oracle", "ridge"}, {"agent.floor", "0.1"}}),
      "");
  EXPECT_EQ(difference(run, {{"alpha", "0.2"}, {"alpha", "0.3"}}),
            "at alpha: asks for alpha \"0.3\", and the run to go on with has \"0.2\"");
  EXPECT_EQ(difference(run, {{"agent.floor", "0"}}),
            "at agent.floor: asks for agent \"floor=0\", and the run to go on with has "
            "\"floor=0.1\"");
  EXPECT_EQ(difference(run, {{"world", "armed:arms=4"}}),
            "at world: asks for world \"delay=none\", and the run to go on with has \"delay=5\"");
  EXPECT_EQ(difference(run, {{"world", "linear"}}).substr(0, 27), "at world: asks for world \"l");
  EXPECT_EQ(difference(run, {{"seed", "x"}}).substr(0, 9), "at seed: ");
}

}  // namespace
}  // namespace handrail
