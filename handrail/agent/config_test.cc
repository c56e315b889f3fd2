#include "handrail/agent/config.h"

#include <gtest/gtest.h>

#include <cmath>

#include "handrail/agent/factory.h"
#include "handrail/policy/falcon.h"
#include "handrail/policy/greedy.h"
#include "handrail/policy/lints.h"
#include "handrail/policy/linucb.h"

namespace handrail {
namespace {

AgentConfig parsed(std::string_view spec) {
  Result<AgentConfig> config = resolve_agent(spec);
  EXPECT_TRUE(config.ok()) << (config.ok() ? "" : config.error().message);
  return std::move(config).value();
}

std::string refusal(std::string_view spec) {
  const Result<AgentConfig> config = resolve_agent(spec);
  return config.ok() ? "accepted" : config.error().message;
}

TEST(Config, PresetsAreWhatTheTableSays) {
  const AgentConfig square = parsed("c-squarecb");
  EXPECT_EQ(square.policy, &kIgwPolicy);
  EXPECT_EQ(square.weighting, Weighting::kAbsolute);
  EXPECT_EQ(square.gamma.kind, GammaKind::kRounds);
  EXPECT_EQ(square.oracle, OracleKind::kMlp);
  EXPECT_EQ(square.loss, LossChoice::kLog);
  EXPECT_EQ(square.gate, GateKind::kCertified);
  EXPECT_TRUE(square.learn_from_baseline);
  const AgentConfig fast = parsed("c-fastcb");
  EXPECT_EQ(fast.weighting, Weighting::kRelative);
  EXPECT_EQ(fast.gamma.kind, GammaKind::kCosts);
  EXPECT_EQ(fast.loss, LossChoice::kLog);
  EXPECT_EQ(fast.gate, GateKind::kCertified);
  EXPECT_EQ(parsed("squarecb").gate, GateKind::kOpen);
  EXPECT_EQ(parsed("fastcb").gate, GateKind::kOpen);
  EXPECT_EQ(parsed("c-linucb").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb").gate, GateKind::kEllipsoid);
  EXPECT_FALSE(parsed("c-linucb").learn_from_baseline);
  EXPECT_EQ(parsed("c-linucb-unknown").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb-unknown").gate, GateKind::kContrast);
  EXPECT_TRUE(parsed("c-linucb-unknown").learn_from_baseline);
  EXPECT_EQ(parsed("c-linucb2").policy, &kLinUcbPolicy);
  EXPECT_EQ(parsed("c-linucb2").gate, GateKind::kSafeSet);
  EXPECT_EQ(parsed("c-linucb2:gate=checkpoint").checkpoint_every, 100u);
  EXPECT_EQ(parsed("linucb").gate, GateKind::kOpen);
  EXPECT_EQ(parsed("baseline").gate, GateKind::kShut);
  EXPECT_EQ(parsed("uniform").gate, GateKind::kOpen);
  EXPECT_EQ(parsed("greedy").policy, &kGreedyPolicy);
  EXPECT_EQ(parsed("epsilon-greedy").epsilon, 0.05);
  EXPECT_EQ(parsed("c-lints").policy, &kLinTsPolicy);
  EXPECT_EQ(parsed("c-lints").gate, GateKind::kCertified);
  EXPECT_EQ(parsed("glm-ucb").lambda, 0.01);
  EXPECT_EQ(parsed("falcon").policy, &kFalconPolicy);
  EXPECT_EQ(parsed("falcon").gate, GateKind::kOpen);
}

// Ridge promises a regret of predictions one at a time, which a fit of last epoch's does not have.
TEST(Config, GateModelTakesNoPromiseFromAPolicyThatRefits) {
  EXPECT_EQ(refusal("squarecb:oracle=ridge,gate=model"), "accepted");
  EXPECT_NE(refusal("falcon:oracle=ridge,gate=model"), "accepted");
  EXPECT_EQ(refusal("falcon:oracle=ridge,gate=model,regret_bound=50"), "accepted");
}

TEST(Config, AtPaperTakesThePapersChoices) {
  const AgentConfig square = parsed("c-squarecb@paper");
  EXPECT_EQ(square.gate, GateKind::kPaper);
  EXPECT_EQ(square.margin_scale, 16.0);
  EXPECT_EQ(square.margin_rounds, MarginRounds::kM);
  EXPECT_EQ(square.gamma.kind, GammaKind::kSqrt);
  EXPECT_FALSE(square.learn_from_baseline);
  EXPECT_EQ(square.mlp.widths, std::vector<std::size_t>{100});
  EXPECT_EQ(square.mlp.activation, Activation::kRelu);
  EXPECT_EQ(square.mlp.parametrisation, Parametrisation::kStandard);
  EXPECT_EQ(square.mlp.optimizer, Optimizer::kSgd);
  EXPECT_EQ(square.mlp.update, Update::kPeriodic);
  EXPECT_EQ(square.mlp.period, 10u);
  EXPECT_EQ(square.mlp.reading, PeriodicReading::kSteps);
  EXPECT_EQ(square.mlp.pull, 0.0);
  EXPECT_TRUE(std::isinf(square.mlp.clip));
  EXPECT_EQ(square.learning_rate, 0.01);
  EXPECT_EQ(parsed("c-fastcb@paper").gamma.kind, GammaKind::kFirstOrder);
  EXPECT_EQ(parsed("c-fastcb@paper").loss, LossChoice::kLog);
  EXPECT_EQ(parsed("squarecb@paper").gate, GateKind::kOpen);
  const AgentConfig linucb = parsed("linucb@paper");
  EXPECT_FALSE(linucb.learn_from_baseline);
  EXPECT_EQ(linucb.mlp.update, Update::kReplay);  // nothing else changes
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
  EXPECT_EQ(config.oracle, OracleKind::kLinear);
  EXPECT_EQ(config.gate, GateKind::kPaper);
  EXPECT_EQ(config.margin_scale, 2.0);
  EXPECT_EQ(config.margin_rounds, MarginRounds::kMPlusOne);
  EXPECT_EQ(config.members, MembersChoice::kOpen);
  EXPECT_EQ(config.regret_bound, 3.0);
  EXPECT_EQ(config.mlp.widths, (std::vector<std::size_t>{20, 10}));
  EXPECT_EQ(config.gamma.best_cost, 0.25);
  EXPECT_EQ(config.mlp.rho, 5.0);
  EXPECT_TRUE(std::isinf(config.mlp.clip));
  EXPECT_EQ(config.learning_rate, 0.25);
  EXPECT_FALSE(config.learn_from_baseline);
  EXPECT_EQ(config.pending_limit, 7u);
  EXPECT_EQ(config.bound, BoundKind::kMixture);
}

TEST(Config, LossIsLogButForRidgeAndThePapersSquareGaps) {
  EXPECT_EQ(parsed("c-fastcb:oracle=ridge").loss, LossChoice::kSquare);
  EXPECT_EQ(parsed("c-fastcb:oracle=linear").loss, LossChoice::kLog);
  EXPECT_EQ(parsed("c-squarecb:weighting=relative").loss, LossChoice::kLog);
  EXPECT_EQ(parsed("c-squarecb:loss=square").loss, LossChoice::kSquare);
  EXPECT_EQ(parsed("greedy").loss, LossChoice::kLog);
  EXPECT_EQ(parsed("c-squarecb@paper").loss, LossChoice::kSquare);
  EXPECT_EQ(parsed("c-fastcb@paper").loss, LossChoice::kLog);
}

TEST(Config, LearningRateFollowsTheOracle) {
  EXPECT_EQ(parsed("c-squarecb").learning_rate, 0.15);
  EXPECT_EQ(parsed("c-squarecb:loss=square").learning_rate, 0.1);
  EXPECT_EQ(parsed("c-squarecb:optimizer=adam").learning_rate, 0.001);
  EXPECT_EQ(parsed("c-squarecb:optimizer=sgd").learning_rate, 0.01);
  EXPECT_EQ(parsed("c-squarecb:oracle=linear").learning_rate, 1.5);
  EXPECT_EQ(parsed("c-squarecb:oracle=linear,loss=square").learning_rate, 0.5);
  EXPECT_EQ(parsed("c-squarecb:oracle=linear").loss, LossChoice::kLog);
  EXPECT_EQ(parsed("c-squarecb:oracle=linear").gamma_scale, 200.0);
  EXPECT_EQ(parsed("c-squarecb:oracle=linear,gamma_scale=7").gamma_scale, 7.0);
  EXPECT_EQ(parsed("c-fastcb:oracle=linear").gamma_scale, 10.0);
  EXPECT_EQ(parsed("c-squarecb").gamma_scale, 100.0);
  EXPECT_EQ(parsed("c-fastcb").gamma_scale, 10.0);
  EXPECT_EQ(parsed("c-squarecb:oracle=ridge").gamma_scale, 10.0);
}

TEST(Config, RefusesWithASentenceThatHelps) {
  EXPECT_EQ(refusal("c-squarcb"),
            "no agent is called \"c-squarcb\"; the nearest is \"c-squarecb\" (`handrail agents` "
            "lists all)");
  EXPECT_EQ(refusal("c-squarecb:margin_scal=2"),
            "no parameter is called \"margin_scal\"; the nearest is \"margin_scale\"");
  EXPECT_EQ(refusal("c-squarecb:oracle"),
            "\"oracle\" in \"c-squarecb:oracle\" is not of the form key=value");
  EXPECT_EQ(refusal("c-squarecb:oracle=tree"),
            "parameter oracle is \"tree\"; one of ridge, linear, mlp was expected");
  EXPECT_EQ(refusal("c-squarecb:floor=1.5"),
            "parameter floor is \"1.5\"; a number in [0, 1] was expected");
  EXPECT_EQ(refusal("c-squarecb:lr=0"),
            "parameter lr is \"0\"; auto or a number in (0, 1000] was expected");
  EXPECT_EQ(refusal("c-squarecb:batch=0"),
            "parameter batch is \"0\"; a number in [1, 1e+09] was expected");
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

TEST(Config, MembersFollowWhatTheBaselineCostIs) {
  const BaselineKnown per_round = BaselineKnown::kPerRound;
  const BaselineKnown mean = BaselineKnown::kMean;
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
