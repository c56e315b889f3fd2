#include "handrail/agent/config.h"

#include <gtest/gtest.h>

#include <cmath>

#include "handrail/agent/factory.h"
#include "handrail/agent/presets.h"
#include "handrail/agent/settings_check.h"
#include "handrail/explore/gamma.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/learning_parameters.h"
#include "handrail/oracle/linear.h"
#include "handrail/oracle/mlp_entry.h"
#include "handrail/oracle/ridge.h"
#include "handrail/policy/falcon.h"
#include "handrail/policy/greedy.h"
#include "handrail/policy/igw.h"
#include "handrail/policy/lints.h"
#include "handrail/policy/linucb.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/contrast_gate.h"
#include "handrail/safety/ellipsoid_gate.h"
#include "handrail/safety/paper_gate.h"
#include "handrail/safety/regret_bound.h"
#include "handrail/safety/safeset_gate.h"
#include "handrail/safety/trivial_gates.h"

namespace handrail {
namespace {

AgentConfig parsed(std::string_view spec) {
  Result<AgentConfig> config = parse_agent(spec);
  EXPECT_TRUE(config.ok()) << (config.ok() ? "" : config.error().message);
  return std::move(config).value();
}

MlpConfig network_of(const AgentConfig& config) {
  return network_in(PartFrame({}, config.common));
}

std::string refusal(std::string_view spec) {
  const Result<AgentConfig> config = parse_agent(spec);
  return config.ok() ? "accepted" : config.error().message;
}

TEST(Config, PresetsAreWhatTheTableSays) {
  const AgentConfig square = parsed("c-squarecb");
  EXPECT_EQ(square.policy, &kIgwPolicy);
  EXPECT_EQ(square.common.choice<Weighting>(kWeightingRow), Weighting::kAbsolute);
  EXPECT_EQ(schedule_in(square.common, 0.05).kind, GammaKind::kRounds);
  EXPECT_EQ(square.oracle, &kMlpOracle);
  EXPECT_EQ(loss_in(square.common), Loss::kLog);
  EXPECT_EQ(square.gate, &kCertifiedGate);
  EXPECT_TRUE(learns_from_baseline(square));
  const AgentConfig fast = parsed("c-fastcb");
  EXPECT_EQ(fast.common.choice<Weighting>(kWeightingRow), Weighting::kRelative);
  EXPECT_EQ(schedule_in(fast.common, 0.05).kind, GammaKind::kCosts);
  EXPECT_EQ(loss_in(fast.common), Loss::kLog);
  EXPECT_EQ(fast.gate, &kCertifiedGate);
  EXPECT_EQ(parsed("squarecb").gate, &kOpenGate);
  EXPECT_EQ(parsed("fastcb").gate, &kOpenGate);
  EXPECT_EQ(parsed("c-linucb").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb").gate, &kEllipsoidGate);
  EXPECT_FALSE(learns_from_baseline(parsed("c-linucb")));
  EXPECT_EQ(parsed("c-linucb-unknown").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb-unknown").gate, &kContrastGate);
  EXPECT_TRUE(learns_from_baseline(parsed("c-linucb-unknown")));
  EXPECT_EQ(parsed("c-linucb2").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb2").gate, &kSafeSetGate);
  EXPECT_EQ(parsed("c-linucb2:gate=checkpoint").common.count("checkpoint_every"), 100u);
  EXPECT_EQ(parsed("linucb").gate, &kOpenGate);
  EXPECT_EQ(parsed("baseline").gate, &kShutGate);
  EXPECT_EQ(parsed("uniform").gate, &kOpenGate);
  EXPECT_EQ(parsed("greedy").policy, &kGreedyPolicy);
  EXPECT_EQ(parsed("epsilon-greedy").common.number("epsilon"), 0.05);
  EXPECT_EQ(parsed("c-lints").policy, &kLinTsPolicy);
  EXPECT_EQ(parsed("c-lints").gate, &kCertifiedGate);
  EXPECT_EQ(parsed("glm-ucb").common.number("lambda"), 0.01);
  EXPECT_EQ(parsed("falcon").policy, &kFalconPolicy);
  EXPECT_EQ(parsed("falcon").gate, &kOpenGate);
}

// Ridge promises a regret of predictions one at a time, which a fit of last epoch's does not have.
TEST(Config, GateModelTakesNoPromiseFromAPolicyThatRefits) {
  EXPECT_EQ(refusal("squarecb:oracle=ridge,gate=model"), "accepted");
  EXPECT_NE(refusal("falcon:oracle=ridge,gate=model"), "accepted");
  EXPECT_EQ(refusal("falcon:oracle=ridge,gate=model,regret_bound=50"), "accepted");
}

TEST(Config, AtPaperTakesThePapersChoices) {
  const AgentConfig square = parsed("c-squarecb@paper");
  EXPECT_EQ(square.gate, &kPaperGate);
  EXPECT_EQ(square.common.number("margin_scale"), 16.0);
  EXPECT_EQ(square.common.choice<MarginRounds>("margin_rounds"), MarginRounds::kM);
  EXPECT_EQ(schedule_in(square.common, 0.05).kind, GammaKind::kSqrt);
  EXPECT_FALSE(learns_from_baseline(square));
  EXPECT_EQ(network_of(square).widths, std::vector<std::size_t>{100});
  EXPECT_EQ(network_of(square).activation, Activation::kRelu);
  EXPECT_EQ(network_of(square).parametrisation, Parametrisation::kStandard);
  EXPECT_EQ(network_of(square).optimizer, Optimizer::kSgd);
  EXPECT_EQ(network_of(square).update, Update::kPeriodic);
  EXPECT_EQ(network_of(square).period, 10u);
  EXPECT_EQ(network_of(square).reading, PeriodicReading::kSteps);
  EXPECT_EQ(network_of(square).pull, 0.0);
  EXPECT_TRUE(std::isinf(network_of(square).clip));
  EXPECT_EQ(step_in(square.common), 0.01);
  EXPECT_EQ(schedule_in(parsed("c-fastcb@paper").common, 0.05).kind, GammaKind::kFirstOrder);
  EXPECT_EQ(loss_in(parsed("c-fastcb@paper").common), Loss::kLog);
  EXPECT_EQ(parsed("squarecb@paper").gate, &kOpenGate);
  const AgentConfig linucb = parsed("linucb@paper");
  EXPECT_FALSE(learns_from_baseline(linucb));
  EXPECT_EQ(network_of(linucb).update, Update::kReplay);  // nothing else changes
}

TEST(Config, EveryParameterOfEveryPresetPrintsAndParsesBack) {
  for (const Preset& preset : presets()) {
    for (const char* suffix : {"", "@paper"}) {
      const AgentConfig config = parsed(std::string(preset.name) + suffix);
      const std::string spec = print_spec(config);
      EXPECT_EQ(print_spec(parsed(spec)), spec);
    }
  }
}

TEST(Config, EveryParameterCanBeSet) {
  const AgentConfig config = parsed(
      "c-squarecb:oracle=linear,gate=paper,margin_scale=2,margin_rounds=m_plus_one,members=open,"
      "regret_bound=3,width=20x10,gamma=episodic,best_cost=0.25,rho=5,clip=inf,lr=0.25,"
      "learn_from_baseline=no,pending_limit=7,bound=mixture,ensemble=4");
  EXPECT_EQ(config.oracle, &kLinearOracle);
  EXPECT_EQ(config.gate, &kPaperGate);
  EXPECT_EQ(config.common.number("margin_scale"), 2.0);
  EXPECT_EQ(config.common.choice<MarginRounds>("margin_rounds"), MarginRounds::kMPlusOne);
  EXPECT_EQ(config.common.text("members"), "open");
  EXPECT_EQ(given_regret_bound(config.common), 3.0);
  EXPECT_EQ(network_of(config).widths, (std::vector<std::size_t>{20, 10}));
  EXPECT_EQ(schedule_in(config.common, 0.05).best_cost, 0.25);
  EXPECT_EQ(network_of(config).rho, 5.0);
  EXPECT_TRUE(std::isinf(network_of(config).clip));
  EXPECT_EQ(step_in(config.common), 0.25);
  EXPECT_FALSE(learns_from_baseline(config));
  EXPECT_EQ(pending_limit_of(config), 7u);
  EXPECT_EQ(bound_in(config.common), BoundKind::kMixture);
}

TEST(Config, LossIsLogButForRidgeAndThePapersSquareGaps) {
  EXPECT_EQ(loss_in(parsed("c-fastcb:oracle=ridge").common), Loss::kSquare);
  EXPECT_EQ(loss_in(parsed("c-fastcb:oracle=linear").common), Loss::kLog);
  EXPECT_EQ(loss_in(parsed("c-squarecb:weighting=relative").common), Loss::kLog);
  EXPECT_EQ(loss_in(parsed("c-squarecb:loss=square").common), Loss::kSquare);
  EXPECT_EQ(loss_in(parsed("greedy").common), Loss::kLog);
  EXPECT_EQ(loss_in(parsed("c-squarecb@paper").common), Loss::kSquare);
  EXPECT_EQ(loss_in(parsed("c-fastcb@paper").common), Loss::kLog);
}

TEST(Config, LearningRateFollowsTheOracle) {
  EXPECT_EQ(step_in(parsed("c-squarecb").common), 0.15);
  EXPECT_EQ(step_in(parsed("c-squarecb:loss=square").common), 0.1);
  EXPECT_EQ(step_in(parsed("c-squarecb:optimizer=adam").common), 0.001);
  EXPECT_EQ(step_in(parsed("c-squarecb:optimizer=sgd").common), 0.01);
  EXPECT_EQ(step_in(parsed("c-squarecb:oracle=linear").common), 1.5);
  EXPECT_EQ(step_in(parsed("c-squarecb:oracle=linear,loss=square").common), 0.5);
  EXPECT_EQ(loss_in(parsed("c-squarecb:oracle=linear").common), Loss::kLog);
  EXPECT_EQ(schedule_in(parsed("c-squarecb:oracle=linear").common, 0.05).scale, 200.0);
  EXPECT_EQ(schedule_in(parsed("c-squarecb:oracle=linear,gamma_scale=7").common, 0.05).scale, 7.0);
  EXPECT_EQ(schedule_in(parsed("c-fastcb:oracle=linear").common, 0.05).scale, 10.0);
  EXPECT_EQ(schedule_in(parsed("c-squarecb").common, 0.05).scale, 100.0);
  EXPECT_EQ(schedule_in(parsed("c-fastcb").common, 0.05).scale, 10.0);
  EXPECT_EQ(schedule_in(parsed("c-squarecb:oracle=ridge").common, 0.05).scale, 10.0);
}

TEST(Config, RefusesWithASentenceThatHelps) {
  EXPECT_EQ(refusal("c-squarcb"),
            "no agent is called \"c-squarcb\"; the nearest is \"c-squarecb\" (`handrail agents` "
            "lists all)");
  EXPECT_EQ(refusal("c-squarecb:margin_scal=2"),
            "unknown key \"margin_scal\"; did you mean \"margin_scale\"?");
  EXPECT_EQ(refusal("c-squarecb:oracle"),
            "\"oracle\" in \"c-squarecb:oracle\" is not of the form key=value");
  EXPECT_EQ(refusal("c-squarecb:oracle=tree"),
            "oracle is \"tree\"; one of linear, ridge, mlp was expected");
  EXPECT_EQ(refusal("c-squarecb:floor=1.5"), "floor is \"1.5\"; a number in [0, 1] was expected");
  EXPECT_EQ(refusal("c-squarecb:lr=0"), "lr is \"0\"; auto or a number in (0, 1000] was expected");
  EXPECT_EQ(refusal("c-squarecb:batch=0"),
            "batch is \"0\"; a whole number in [1, 1e+09] was expected");
  for (const char* bad : {"width=", "width=0", "width=10x", "clip=nan", "floor=nan", "rho=-1",
                          "batch=1.5", "regret_bound=none", "bonus_scale=-1"}) {
    EXPECT_NE(refusal("c-squarecb:" + std::string(bad)).find("was expected"), std::string::npos)
        << bad;
  }
}

TEST(Config, RefusesPartsThatDoNotFit) {
  EXPECT_NE(refusal("c-squarecb:oracle=ridge,loss=log"), "accepted");
  EXPECT_NE(refusal("uniform:gate=paper"), "accepted");
  EXPECT_NE(refusal("uniform:gate=model"), "accepted");
  EXPECT_NE(refusal("c-squarecb:gate=model"), "accepted");
  EXPECT_EQ(refusal("c-squarecb:gate=model,oracle=ridge"), "accepted");
  EXPECT_EQ(refusal("c-squarecb:gate=model,regret_bound=5"), "accepted");
  EXPECT_EQ(refusal("uniform:gate=certified"), "accepted");
  EXPECT_EQ(refusal("c-squarecb:gate=ellipsoid"), "accepted");
  EXPECT_EQ(refusal("budget-first"), "accepted");
  EXPECT_NE(refusal("uniform:gate=budget").find("budget_regret"), std::string::npos);
  EXPECT_EQ(refusal("uniform:gate=budget,budget_regret=3"), "accepted");
}

// AgentSettings is promised with these defaults; the rows are what users read.
TEST(Config, DefaultsOfSettingsAreThoseOfTheirRows) {
  const AgentSettings settings;
  const auto fallback = [](const ParameterSpec& row) {
    return *parse_value(row, row.fallback).value().number;
  };
  EXPECT_EQ(settings.agent, kDefaultAgent);
  EXPECT_EQ(settings.alpha, fallback(kAlphaRow));
  EXPECT_EQ(settings.delta, fallback(kDeltaRow));
  EXPECT_EQ(settings.reserve, fallback(kReserveRow));
}

// If no single key is to blame, the place is that of the SPEC.
TEST(Config, AnErrorOfSeveralKeysNamesThePlaceOfTheSpec) {
  const Result<AgentConfig> config = parse_agent(
      parse_spec({.key = "agent", .value = "c-squarecb:gate=model", .place = "a.toml:3:9"})
          .value());
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().message.substr(0, 23), "a.toml:3:9: gate=model ");
}

TEST(Config, AParameterOfAnotherPartIsRefusedByTheNamesOfThoseThatHaveIt) {
  EXPECT_EQ(refusal("ucb:temperature=1").substr(0, 26), "unknown key \"temperature\";");
  EXPECT_EQ(refusal("ucb:sweeps=1"),
            "\"sweeps\" is a parameter of policy=smooth-igw; this agent has policy=ucb, oracle=mlp "
            "and gate=open");
}

TEST(Config, MembersFollowWhatTheBaselineCostIs) {
  const AgentFrame per_round = {.baseline_known = BaselineKnown::kPerRound};
  const AgentFrame mean = {.baseline_known = BaselineKnown::kMean};
  EXPECT_EQ(members_of(parsed("c-squarecb"), per_round), Members::kRisky);
  EXPECT_EQ(members_of(parsed("c-squarecb"), mean), Members::kOpen);
  EXPECT_EQ(members_of(parsed("c-squarecb:members=open"), per_round), Members::kOpen);
  EXPECT_EQ(members_of(parsed("c-squarecb:members=risky"), mean), Members::kRisky);
  // The other gates charge whatever they admitted.
  EXPECT_EQ(members_of(parsed("squarecb"), per_round), Members::kOpen);
  EXPECT_EQ(members_of(parsed("c-squarecb:gate=paper"), per_round), Members::kOpen);
}

}  // namespace
}  // namespace handrail
