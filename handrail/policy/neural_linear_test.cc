#include "handrail/policy/neural_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "handrail/agent/agent.h"
#include "tests/policy_runs.h"

namespace handrail {
namespace {

// A small network, trained often and shortly.
NeuralLinearConfig small_config() {
  NeuralLinearConfig config;
  config.features.unit_count = 8;
  config.features.batch = 16;
  config.train_every = 20;
  config.train_epochs = 20;
  return config;
}

TEST(NeuralLinear, PlaysEachArmTwiceInTurnAndThenSamples) {
  const auto policy = make_neural_linear(small_config(), kWorldLayout);
  for (std::uint64_t t = 0; t < 6; ++t) {
    const Proposal proposal = propose_in_world(*policy, t);
    EXPECT_EQ(proposal.distribution[arm_in_turn(t)], 1.0);
    EXPECT_EQ(proposal.chances, Chances::kExact);
    learn_in_world(*policy, t, arm_in_turn(t));
  }
  const Proposal proposal = propose_in_world(*policy, 6);
  EXPECT_EQ(proposal.chances, Chances::kUnknown);
  ASSERT_EQ(proposal.indices.size(), kWorldArms);
  const auto least = std::ranges::min_element(proposal.indices) - proposal.indices.begin();
  EXPECT_EQ(proposal.distribution[static_cast<ArmIndex>(least)], 1.0);
  EXPECT_FALSE(proposal.gamma.has_value());
}

// Before any cost is known the turn goes by the draws that were admitted, and where draws are
// refused it goes by the costs.
TEST(NeuralLinear, TurnsGoOnWhileCostsAreLateOrDrawsRefused) {
  const auto policy = make_neural_linear(small_config(), kWorldLayout);
  const auto features = world_features(0);
  const Round round =
      Round::make(ArmFeatures::block(features, kWorldArms), {.arm = 0, .cost = 0.5}).value();
  const auto arm_after = [&](std::uint64_t explored) {
    Proposal proposal;
    policy->propose(round, {.explored = explored}, RandomStream(1, Purpose::kPolicy, 1), proposal);
    return proposal.distribution.greedy_arm();
  };
  EXPECT_EQ(arm_after(2), 2u);
  learn_in_world(*policy, 0, 0);
  EXPECT_EQ(arm_after(0), 1u);
}

// The prior alone: z = 0 gives every arm a sampled cost of 0, other z a mean of 0.
TEST(NeuralLinear, PredictsThePosteriorMean) {
  NeuralLinearConfig config = small_config();
  config.train_every = 1000;
  const auto policy = make_neural_linear(config, kWorldLayout);
  EXPECT_EQ(propose_in_world(*policy, 0).costs, (std::vector<double>{0.0, 0.0, 0.0}));
  const LearnedFeatures features(config.features, kWorldLayout);
  BayesianRegression regression(8, config.prior);
  std::vector<double> trace(features.trace_size());
  for (std::uint64_t t = 0; t < 10; ++t) {
    learn_in_world(*policy, t, 1);
    const auto row = world_features(t);
    regression.add(features.of({.features = row, .block = 1}, trace), world_cost(t, 1));
  }
  regression.settle();
  const auto row = world_features(10);
  const auto z = features.of({.features = row, .block = 1}, trace);
  double expected = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) expected += z[i] * regression.mean()[i];
  const Proposal proposal = propose_in_world(*policy, 10);
  EXPECT_NEAR(proposal.costs[1], expected, 1e-14);
  EXPECT_EQ(proposal.costs[0], 0.0);
}

// After a training the regressions are those of the new features: a regression made anew from all
// rounds says the same.
TEST(NeuralLinear, ComputesItsRegressionsAnewAfterATraining) {
  const NeuralLinearConfig config = small_config();
  const auto policy = make_neural_linear(config, kWorldLayout);
  LearnedFeatures features(config.features, kWorldLayout);
  ReplayBuffer examples(100, kWorldLayout);
  for (std::uint64_t t = 0; t < 20; ++t) {
    learn_in_world(*policy, t, arm_in_turn(t));
    const auto row = world_features(t);
    examples.push(
        {.arm = {.features = row, .block = t % 3}, .cost = world_cost(t, arm_in_turn(t))});
  }
  features.train(examples, 20, RandomStream(config.seed, Purpose::kReplay, 20));
  BayesianRegression regression(8, config.prior);
  std::vector<double> trace(features.trace_size());
  for (std::uint64_t t = 0; t < 20; t += 3) {
    const Example example = examples.slot(t);
    regression.add(features.of(example.arm, trace), example.cost);
  }
  regression.settle();
  const auto row = world_features(20);
  const auto z = features.of({.features = row, .block = 0}, trace);
  double expected = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) expected += z[i] * regression.mean()[i];
  EXPECT_NEAR(propose_in_world(*policy, 20).costs[0], std::clamp(expected, 0.0, 1.0), 1e-12);
}

TEST(NeuralLinear, ManyDrawsEstimateTheChances) {
  NeuralLinearConfig config = small_config();
  config.draws = 64;
  const auto policy = make_neural_linear(config, kWorldLayout);
  for (std::uint64_t t = 0; t < 9; ++t) learn_in_world(*policy, t, arm_in_turn(t));
  const Proposal proposal = propose_in_world(*policy, 9);
  EXPECT_EQ(proposal.chances, Chances::kEstimated);
  EXPECT_TRUE(proposal.indices.empty());
  double sum = 0.0;
  for (const double share : proposal.distribution.probabilities()) {
    EXPECT_EQ(share * 64.0, std::floor(share * 64.0));
    EXPECT_GT(share, 0.0);
    sum += share;
  }
  EXPECT_EQ(sum, 1.0);
}

// One regression for all arms: arms with the same features get the same sampled cost.
TEST(NeuralLinear, ArmsInRowsShareADraw) {
  const FeatureLayout rows = {.shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1};
  NeuralLinearConfig config = small_config();
  config.initial_pulls = 0;
  const auto policy = make_neural_linear(config, rows);
  const std::vector<double> arms = {1.0, 0.5, -0.3, 1.0, 1.0, 0.5};
  const Round round = Round::make(ArmFeatures::rows(arms, 2), {.arm = 0, .cost = 0.5}).value();
  Proposal proposal;
  policy->propose(round, {}, RandomStream(1, Purpose::kPolicy, 1), proposal);
  EXPECT_EQ(proposal.indices[0], proposal.indices[2]);
  EXPECT_NE(proposal.indices[0], proposal.indices[1]);
}

TEST(NeuralLinear, LearnsWhichArmIsCheap) {
  NeuralLinearConfig config = small_config();
  config.prior = {.lambda = 0.25, .shape = 6.0, .scale = 0.1};
  const auto policy = make_neural_linear(config, kWorldLayout);
  play_in_world(*policy, 0, 400);
  EXPECT_LE(play_in_world(*policy, 400, 500), 10.0);  // of 67 by chance
}

TEST(NeuralLinear, IsAFunctionOfItsSeed) {
  NeuralLinearConfig config = small_config();
  const auto one = make_neural_linear(config, kWorldLayout);
  const auto same = make_neural_linear(config, kWorldLayout);
  config.seed = 1;
  const auto other = make_neural_linear(config, kWorldLayout);
  for (Policy* policy : {one.get(), same.get(), other.get()}) play_in_world(*policy, 0, 45);
  EXPECT_EQ(saved_bytes(*one), saved_bytes(*same));
  EXPECT_NE(saved_bytes(*one), saved_bytes(*other));
}

TEST(NeuralLinear, GoesOnAfterALoadWithTheSameBits) {
  for (const std::size_t draws : {1u, 5u}) {
    NeuralLinearConfig config = small_config();
    config.draws = draws;
    config.kept = 30;
    const auto policy = make_neural_linear(config, kWorldLayout);
    const auto fresh = make_neural_linear(config, kWorldLayout);
    expect_to_go_on_after_load(*policy, *fresh, 47, 90);
  }
}

// Diverged on purpose: it predicts full costs and plays on.
TEST(NeuralLinear, ABrokenNetworkLooksExpensive) {
  NeuralLinearConfig config = small_config();
  config.features.learning_rate = 1e300;
  config.features.longest_gradient = 1e300;
  const auto policy = make_neural_linear(config, kWorldLayout);
  play_in_world(*policy, 0, 60);
  const Proposal proposal = propose_in_world(*policy, 60);
  EXPECT_EQ(proposal.costs, (std::vector<double>{1.0, 1.0, 1.0}));
}

std::string refusal(const std::string& spec) {
  AgentSettings settings;
  settings.agent = spec;
  settings.layout = kWorldLayout;
  const Result<Agent> agent = Agent::make(settings);
  return agent.ok() ? "" : agent.error().message;
}

TEST(NeuralLinear, RefusesBadParameters) {
  EXPECT_EQ(refusal("neural-linear:draws=20,gate=certified"), "");
  EXPECT_NE(refusal("neural-linear:draws=0").find("draws"), std::string::npos);
  EXPECT_NE(refusal("neural-linear:prior_precision=0").find("prior_precision"), std::string::npos);
  EXPECT_NE(refusal("neural-linear:units=10000").find("2^28"), std::string::npos);
  EXPECT_NE(refusal("neural-linear:kept=1000000000").find("may be at most"), std::string::npos);
}

}  // namespace
}  // namespace handrail
