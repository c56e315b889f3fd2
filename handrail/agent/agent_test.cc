#include "handrail/agent/agent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/random.h"

namespace handrail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFeatures = 3;

AgentSettings settings_of(std::string spec) {
  return {.agent = std::move(spec), .layout = {.feature_count = kFeatures}};
}

Agent make(std::string spec) {
  Result<Agent> agent = Agent::make(settings_of(std::move(spec)));
  EXPECT_TRUE(agent.ok()) << (agent.ok() ? "" : agent.error().message);
  return std::move(agent).value();
}

// Rounds and costs that are a function of t, so that two agents can be shown the same.
class Stream {
 public:
  explicit Stream(std::uint64_t seed, std::size_t arms = 4)
      : seed_(seed), values_(arms * kFeatures) {}

  Round round(std::uint64_t t) {
    RandomStream stream(seed_, Purpose::kTest, t);
    for (double& value : values_) value = stream.uniform();
    const auto arm = static_cast<ArmIndex>(stream.below(values_.size() / kFeatures));
    const Baseline baseline = {.arm = arm, .cost = 0.4 + 0.5 * stream.uniform()};
    return Round::make(ArmFeatures::rows(values_, kFeatures), baseline).value();
  }
  double cost(std::uint64_t t, ArmIndex arm) const {
    return RandomStream(seed_, Purpose::kNoise, t * 100 + arm).uniform() < 0.3 ? 1.0 : 0.0;
  }

 private:
  std::uint64_t seed_;
  std::vector<double> values_;
};

Decision decide(Agent& agent, Stream& stream, Workspace& workspace, std::uint64_t t) {
  const Decision decision = agent.plan(stream.round(t), workspace).value();
  agent.apply(decision);
  return decision;
}

void answer(Agent& agent, std::uint64_t sequence, double cost) {
  const Result<AcceptedFeedback> accepted = agent.accept({.sequence = sequence, .cost = cost});
  ASSERT_TRUE(accepted.ok()) << accepted.error().message;
  agent.apply(accepted.value());
}

void play(Agent& agent, Stream& stream, std::uint64_t from, std::uint64_t to) {
  Workspace workspace;
  for (std::uint64_t t = from; t <= to; ++t) {
    const Decision decision = decide(agent, stream, workspace, t);
    if (t % 7 != 0) answer(agent, t, stream.cost(t, decision.arm));  // every 7th never comes
  }
}

TEST(Agent, PlansWithoutChangingAnything) {
  Agent agent = make("c-squarecb:oracle=ridge");
  Stream stream(1);
  play(agent, stream, 1, 60);
  const std::string before = agent.state();
  Workspace one;
  Workspace other;
  const Round round = stream.round(61);
  const Decision first = agent.plan(round, one).value();
  const Decision second = agent.plan(round, other).value();
  EXPECT_EQ(agent.state(), before);
  EXPECT_EQ(first.candidate, second.candidate);
  EXPECT_EQ(first.propensity, second.propensity);
  EXPECT_EQ(first.exposure, second.exposure);
  EXPECT_EQ(first.centre, second.centre);
}

TEST(Agent, ReplayOfTheLogEndsInTheSameBits) {
  Agent agent = make("c-fastcb:oracle=linear");
  Agent replay = make("c-fastcb:oracle=linear");
  Stream stream(2);
  Workspace workspace;
  for (std::uint64_t t = 1; t <= 200; ++t) {
    const Decision decision = agent.plan(stream.round(t), workspace).value();
    agent.apply(decision);
    replay.apply(decision);  // never plans
    const Result<AcceptedFeedback> accepted =
        agent.accept({.sequence = t, .cost = stream.cost(t, decision.arm)});
    agent.apply(accepted.value());
    replay.apply(accepted.value());
  }
  EXPECT_EQ(agent.state(), replay.state());
}

TEST(Agent, GoesOnBitForBitAfterSavingAndLoading) {
  for (const char* spec :
       {"c-squarecb:oracle=ridge", "c-fastcb:oracle=linear", "c-squarecb:width=8,batch=4",
        "c-squarecb@paper:width=8", "c-linucb", "uniform:gate=certified", "epsilon-greedy:width=4",
        "c-linucb-unknown", "c-linucb2", "c-linucb2:gate=checkpoint,future_cost=0.4",
        "linucb:gate=stagewise", "c-squarecb:oracle=ridge,gate=safeset",
        "c-squarecb:oracle=ridge,gate=model,ridge_regret=realised", "baseline",
        "neural-ucb:gate=certified,hidden=5,train_steps=9", "neural-ts:hidden=5,train_every=7"}) {
    SCOPED_TRACE(spec);
    Agent whole = make(spec);
    Stream stream(3);
    play(whole, stream, 1, 50);
    Result<Agent> loaded = Agent::from_state(whole.state(), "memory");
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    play(whole, stream, 51, 100);
    play(loaded.value(), stream, 51, 100);
    EXPECT_EQ(whole.state(), loaded.value().state());
    EXPECT_EQ(whole.account().explored, loaded.value().account().explored);
  }
}

// With nothing known of the baseline's cost a round says 0; a round that says more changes no bit
// of what is decided.
TEST(Agent, DecidesTheSameWhateverABaselineCostsThatItsGateDoesNotRead) {
  AgentSettings settings = settings_of("c-linucb-unknown");
  settings.alpha = 2.0;  // so that it explores at times
  settings.reserve = 4.0;
  Agent told = Agent::make(settings).value();
  settings.baseline_known = BaselineKnown::kUnknown;
  Agent untold = Agent::make(settings).value();
  Stream stream(6);
  Workspace workspace;
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const Round round = stream.round(t);
    const Decision one = told.plan(round, workspace).value();
    const Round silent =
        Round::make(round.features(), {.arm = round.baseline().arm, .cost = 0.0}).value();
    const Decision other = untold.plan(silent, workspace).value();
    ASSERT_EQ(one.arm, other.arm) << t;
    ASSERT_EQ(one.choice, other.choice);
    ASSERT_EQ(one.exposure, other.exposure);
    ASSERT_EQ(one.allowance, other.allowance);
    told.apply(one);
    untold.apply(other);
    answer(told, t, stream.cost(t, one.arm));
    answer(untold, t, stream.cost(t, one.arm));
  }
  EXPECT_GT(told.account().explored, 20u);
  EXPECT_GT(told.account().baseline_played, 20u);
}

// A mean or a floor is the same in every round; a cost that is known round by round is not.
TEST(Agent, AsksWhatTheBaselineWillCostWhereThisRoundDoesNotSay) {
  AgentSettings settings = settings_of("c-linucb2:gate=checkpoint");
  const Result<Agent> refused = Agent::make(settings);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("future_cost=NUMBER"), std::string::npos);
  for (const BaselineKnown known : {BaselineKnown::kMean, BaselineKnown::kFloor}) {
    settings.baseline_known = known;
    EXPECT_TRUE(Agent::make(settings).ok());
  }
  settings.baseline_known = BaselineKnown::kUnknown;
  EXPECT_FALSE(Agent::make(settings).ok());
  settings = settings_of("c-linucb2:gate=checkpoint,future_cost=0.2");
  EXPECT_TRUE(Agent::make(settings).ok());
  EXPECT_FALSE(Agent::make(settings_of("c-linucb2:gate=checkpoint,future_cost=1.2")).ok());
  EXPECT_FALSE(Agent::make(settings_of("c-linucb2:gate=checkpoint,checkpoint_every=0")).ok());
}

TEST(Agent, SavesToAFileAndRefusesEveryFlippedByteAndEveryCut) {
  const std::string path = ::testing::TempDir() + "handrail_agent.save";
  Agent agent = make("uniform:gate=certified");
  Stream stream(4);
  play(agent, stream, 1, 10);
  ASSERT_TRUE(agent.save(path).ok());
  EXPECT_EQ(Agent::load(path).value().state(), agent.state());
  const std::string bytes = read_file(path).value();
  const std::string broken = path + ".broken";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(~flipped[i]);
    ASSERT_TRUE(write_file(broken, flipped).ok());
    ASSERT_FALSE(Agent::load(broken).ok()) << "byte " << i;
  }
  for (std::size_t length = 0; length < bytes.size(); length += 5) {
    ASSERT_TRUE(write_file(broken, bytes.substr(0, length)).ok());
    ASSERT_FALSE(Agent::load(broken).ok()) << "cut at " << length;
  }
}

// The checksum finds accidents; a state with a good checksum can still be nonsense.
TEST(Agent, RefusesAStateThatIsCutOrOverlongWhateverItsChecksum) {
  for (const char* spec : {"c-squarecb:oracle=ridge", "c-fastcb:oracle=linear", "c-linucb",
                           "c-squarecb:width=3,batch=2", "c-squarecb:oracle=ridge,gate=paper",
                           "neural-ucb:hidden=2,train_steps=2"}) {
    SCOPED_TRACE(spec);
    Agent agent = make(spec);
    Stream stream(5);
    play(agent, stream, 1, 12);
    const std::string state = agent.state();
    for (std::size_t length = 0; length < state.size(); ++length) {
      ASSERT_FALSE(Agent::from_state(state.substr(0, length), "memory").ok()) << length;
    }
    EXPECT_FALSE(Agent::from_state(state + "x", "memory").ok());
  }
}

TEST(Agent, RefusesFeedbackThatMakesNoSense) {
  Agent agent = make("squarecb:oracle=ridge");
  Stream stream(6);
  Workspace workspace;
  const auto refusal = [&](std::uint64_t sequence, double cost) {
    const Result<AcceptedFeedback> accepted = agent.accept({.sequence = sequence, .cost = cost});
    return accepted.ok() ? "accepted" : accepted.error().message;
  };
  EXPECT_EQ(refusal(1, 0.5), "feedback for decision 1, which was never made; the last one is 0");
  decide(agent, stream, workspace, 1);
  decide(agent, stream, workspace, 2);
  EXPECT_EQ(refusal(0, 0.5), "feedback for decision 0, which was never made; the last one is 2");
  EXPECT_EQ(refusal(2, 1.5),
            "the cost of decision 2 is 1.5; a number in [0, 1] was expected; the decision stays "
            "charged at 1");
  EXPECT_NE(refusal(2, kNan), "accepted");
  EXPECT_NE(refusal(2, -0.001), "accepted");
  EXPECT_NE(refusal(2, std::numeric_limits<double>::infinity()), "accepted");
  answer(agent, 2, 0.5);  // out of order
  EXPECT_EQ(refusal(2, 0.5), "feedback for decision 2, which was answered already");
  answer(agent, 1, 0.5);
  EXPECT_EQ(agent.account().pending, 0u);
}

TEST(Agent, ARefusedCostStaysChargedAtOne) {
  AgentSettings settings = settings_of("c-squarecb:oracle=ridge");
  settings.reserve = 50.0;
  Agent agent = Agent::make(settings).value();
  Stream stream(7);
  Workspace workspace;
  Decision decision;
  std::uint64_t t = 0;
  do {
    decision = decide(agent, stream, workspace, ++t);
  } while (decision.arm == decision.baseline.arm);
  const double slack = *agent.account().slack;
  EXPECT_FALSE(agent.accept({.sequence = t, .cost = kNan}).ok());
  EXPECT_EQ(*agent.account().slack, slack);
  EXPECT_EQ(agent.account().pending, t);
}

TEST(Agent, GivesUpTheOldestDecisionPastTheBound) {
  Agent agent = make("c-squarecb:oracle=ridge,pending_limit=3");
  Stream stream(8);
  Workspace workspace;
  for (std::uint64_t t = 1; t <= 5; ++t) decide(agent, stream, workspace, t);
  EXPECT_EQ(agent.account().pending, 3u);
  EXPECT_EQ(agent.account().given_up, 2u);
  EXPECT_EQ(agent.accept({.sequence = 2, .cost = 0.0}).error().message,
            "feedback for decision 2, which was given up when more than 3 decisions were pending; "
            "it stays charged at 1");
  answer(agent, 4, 0.0);
  for (std::uint64_t t = 6; t <= 20; ++t) decide(agent, stream, workspace, t);
  EXPECT_EQ(agent.accept({.sequence = 1, .cost = 0.0}).error().message,
            "feedback for decision 1, which was answered or given up long ago");
}

TEST(Agent, LearnsFromBaselineRoundsOnlyIfToldTo) {
  for (const bool learns : {true, false}) {
    Agent agent = make("c-squarecb:oracle=ridge,gate=shut,learn_from_baseline=" +
                       std::string(learns ? "yes" : "no"));
    Stream stream(9);
    Workspace workspace;
    const Round round = stream.round(1);
    const std::vector<double> before = [&] {
      static_cast<void>(agent.plan(round, workspace).value());
      const auto costs = workspace.predicted_costs();
      return std::vector<double>(costs.begin(), costs.end());
    }();
    decide(agent, stream, workspace, 1);
    answer(agent, 1, 1.0);
    static_cast<void>(agent.plan(stream.round(1), workspace).value());
    const auto after = workspace.predicted_costs();
    EXPECT_EQ(std::equal(before.begin(), before.end(), after.begin()), !learns);
  }
}

// A log of what one agent played and paid teaches another the same bits, even one that would not
// learn from such rounds itself; and earns it nothing.
TEST(Agent, LearnsFromALogAsIfItHadPlayedThoseRounds) {
  Agent player = make("c-squarecb:oracle=ridge,gate=shut");
  Stream stream(9);
  Workspace workspace;
  std::vector<std::vector<double>> features;
  std::vector<LoggedPlay> log;
  for (std::uint64_t t = 1; t <= 30; ++t) {
    const Decision decision = decide(player, stream, workspace, t);
    const auto row = decision.features.features;
    features.emplace_back(row.begin(), row.end());
    log.push_back({.features = features.back(),
                   .arm = decision.arm,
                   .cost = stream.cost(t, decision.arm),
                   .propensity = 1.0});
    answer(player, t, log.back().cost);
  }
  Agent reader = make("c-squarecb:oracle=ridge,learn_from_baseline=no");
  const Result<AcceptedLog> accepted = reader.accept(log);
  ASSERT_TRUE(accepted.ok());
  reader.apply(accepted.value());
  const auto predicted = [&](const Agent& agent) {
    static_cast<void>(agent.plan(stream.round(31), workspace).value());
    const auto costs = workspace.predicted_costs();
    return std::vector<double>(costs.begin(), costs.end());
  };
  EXPECT_EQ(predicted(reader), predicted(player));
  EXPECT_EQ(reader.account().logged_plays, 30u);
  EXPECT_EQ(reader.account().decisions, 0u);
  EXPECT_EQ(reader.account().slack, make("c-squarecb").account().slack);

  const Result<Agent> loaded = Agent::from_state(reader.state(), "state");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().account().logged_plays, 30u);
  EXPECT_EQ(predicted(loaded.value()), predicted(reader));
}

TEST(Agent, RefusesALogThatMakesNoSenseOrComesLate) {
  Agent agent = make("c-squarecb:oracle=ridge");
  const std::vector<double> row = {0.1, 0.2, 0.3};
  const std::vector<double> bad = {0.1, kNan, 0.3};
  const LoggedPlay good = {.features = row, .arm = 1, .cost = 0.5};
  const auto complaint = [&](const LoggedPlay& play) {
    const std::vector<LoggedPlay> log = {good, play};
    const Result<AcceptedLog> accepted = agent.accept(log);
    return accepted.ok() ? "nothing" : accepted.error().message;
  };
  EXPECT_EQ(complaint(good), "nothing");
  LoggedPlay play = good;
  play.cost = 1.5;
  EXPECT_EQ(complaint(play), "play 2 of the log: cost is 1.5; a number in [0, 1] was expected");
  play = good;
  play.features = bad;
  EXPECT_EQ(complaint(play), "play 2 of the log: feature 2 is nan; a finite number was expected");
  play.features = std::span(row).first(2);
  EXPECT_EQ(complaint(play), "play 2 of the log: it has 2 features; 3 were expected");
  play = good;
  play.propensity = 0.0;
  EXPECT_EQ(complaint(play), "play 2 of the log: propensity is 0; a number in (0, 1] was expected");

  Stream stream(9);
  Workspace workspace;
  decide(agent, stream, workspace, 1);
  EXPECT_EQ(complaint(good),
            "a log of plays after 1 decisions; it is learned from before the first one or never");
}

// These gates bound by what the policy predicts. With a log of false costs gate=model was seen to
// break its promise, which holds of costs that are told after a decision.
TEST(Agent, RefusesALogBehindGatesThatTrustPredictions) {
  const std::vector<double> row = {0.1, 0.2, 0.3};
  const std::vector<LoggedPlay> log = {{.features = row, .arm = 1, .cost = 0.5}};
  for (const char* gate : {"model", "paper"}) {
    const Agent agent = make(std::string("c-squarecb:oracle=ridge,gate=") + gate);
    const Result<AcceptedLog> accepted = agent.accept(log);
    ASSERT_FALSE(accepted.ok());
    EXPECT_NE(accepted.error().message.find(gate), std::string::npos);
  }
  EXPECT_TRUE(make("c-squarecb:oracle=ridge,gate=ellipsoid").accept(log).ok());
}

// The verdict of the certified gate must not see the draw: with everything but the seed the same,
// so is the verdict, whatever was drawn.
TEST(Agent, CertifiedVerdictDoesNotReadTheDrawOrThePredictions) {
  Stream stream(10);
  Agent agent = make("c-squarecb:oracle=ridge");
  play(agent, stream, 1, 80);
  Workspace workspace;
  std::vector<double> one(4 * kFeatures, 0.1);
  std::vector<double> other(4 * kFeatures);
  RandomStream noise(1, Purpose::kTest, 1);
  for (double& value : other) value = noise.uniform();
  const Baseline baseline = {.arm = 1, .cost = 0.5};
  const Decision first =
      agent.plan(Round::make(ArmFeatures::rows(one, kFeatures), baseline).value(), workspace)
          .value();
  const Decision second =
      agent.plan(Round::make(ArmFeatures::rows(other, kFeatures), baseline).value(), workspace)
          .value();
  EXPECT_EQ(first.exposure, second.exposure);
  EXPECT_EQ(first.allowance, second.allowance);
  EXPECT_EQ(first.choice, second.choice);
}

// Risky members: a round that drew the baseline's arm neither costs nor is charged.
TEST(Agent, PropensityIncludesTheGate) {
  for (const char* spec : {"c-squarecb:oracle=ridge,gate=paper,margin_scale=0.05,regret_bound=1",
                           "c-squarecb:oracle=ridge,gate=paper,margin_scale=0"}) {
    SCOPED_TRACE(spec);
    Agent agent = make(spec);
    Stream stream(11);
    Workspace workspace;
    for (std::uint64_t t = 1; t <= 300; ++t) {
      const Decision d = decide(agent, stream, workspace, t);
      const auto costs = workspace.predicted_costs();
      const Distribution& p = workspace.distribution();
      double baseline_chance = p[d.baseline.arm];
      for (ArmIndex a = 0; a < costs.size(); ++a) {
        const double exposure = d.exposure - costs[d.candidate] + costs[a];
        if (a != d.baseline.arm && exposure > d.allowance + 1e-12) baseline_chance += p[a];
      }
      const double expected = d.arm == d.baseline.arm ? baseline_chance : p[d.arm];
      EXPECT_NEAR(d.propensity.value(), expected, 1e-9);
      answer(agent, t, stream.cost(t, d.arm));
    }
  }
}

TEST(Agent, WithoutPredictionsCentresOnTheMeanOfItsRevealedMemberCosts) {
  AgentSettings settings = settings_of("uniform:gate=certified");
  settings.reserve = 100.0;
  Agent agent = Agent::make(settings).value();
  Stream stream(12);
  Workspace workspace;
  double sum = 0.0;
  double count = 0.0;
  for (std::uint64_t t = 1; t <= 50; ++t) {
    const Decision decision = decide(agent, stream, workspace, t);
    EXPECT_DOUBLE_EQ(decision.centre, count == 0.0 ? 0.5 : sum / count);
    answer(agent, t, 0.25);
    if (decision.arm == decision.baseline.arm) continue;
    sum += 0.25;
    count += 1.0;
  }
}

TEST(Agent, TakesBlockFeaturesAndAChangingNumberOfRows) {
  Agent rows = make("c-squarecb:oracle=ridge");
  Workspace workspace;
  for (std::uint64_t t = 1; t <= 10; ++t) {
    Stream stream(t, 1 + t % 5);
    decide(rows, stream, workspace, t);
  }
  Result<Agent> block = Agent::make(
      {.agent = "c-fastcb",
       .layout = {.shape = FeatureShape::kBlock, .feature_count = 2, .block_count = 5}});
  ASSERT_TRUE(block.ok());
  const std::vector<double> shared = {0.6, 0.8};
  const Round round = Round::make(ArmFeatures::block(shared, 5), {.arm = 4, .cost = 0.5}).value();
  EXPECT_TRUE(block.value().plan(round, workspace).ok());
  EXPECT_EQ(rows.plan(round, workspace).error().message,
            "the round shows 5 blocks of 2 features; this agent was made for rows of 3 features");
}

TEST(Agent, RefusesSettingsThatMakeNoSense) {
  const auto refusal = [](const AgentSettings& settings) {
    const Result<Agent> agent = Agent::make(settings);
    return agent.ok() ? "accepted" : agent.error().message;
  };
  AgentSettings settings = settings_of("c-squarecb:oracle=ridge");
  settings.alpha = 0.0;
  EXPECT_EQ(refusal(settings), "alpha is 0; a number in (0, 1e+06] was expected");
  settings.alpha = kNan;
  EXPECT_EQ(refusal(settings), "alpha is nan; a number in (0, 1e+06] was expected");
  settings.alpha = 3.0;  // the form for costs allows any
  EXPECT_EQ(refusal(settings), "accepted");
  settings.delta = 1.0;
  EXPECT_EQ(refusal(settings), "delta is 1; a number in [1e-100, 1) was expected");
  settings.delta = 0.05;
  settings.reserve = -1.0;
  EXPECT_EQ(refusal(settings), "reserve is -1; a number in [0, 1e+12] was expected");
  settings.reserve = 0.0;
  settings.layout.feature_count = 0;
  EXPECT_NE(refusal(settings), "accepted");
  settings.layout = {.shape = FeatureShape::kRows, .feature_count = 2, .block_count = 3};
  EXPECT_EQ(refusal(settings), "the layout has 3 blocks; features in rows have 1");
  EXPECT_NE(refusal(settings_of("nobody")), "accepted");
  EXPECT_NE(refusal(settings_of("c-squarecb:ensemble=3")), "accepted");
}

TEST(AgentDeathTest, StopsWhenADecisionIsAppliedTwice) {
  Agent agent = make("squarecb:oracle=ridge");
  Stream stream(13);
  Workspace workspace;
  const Decision decision = decide(agent, stream, workspace, 1);
  EXPECT_DEATH(agent.apply(decision), "broken promise");
  const Result<AcceptedFeedback> accepted = agent.accept({.sequence = 1, .cost = 0.5});
  agent.apply(accepted.value());
  EXPECT_DEATH(agent.apply(accepted.value()), "broken promise");
}

}  // namespace
}  // namespace handrail
