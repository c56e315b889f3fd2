// The gates of linear costs beside C-LinUCB's, and the gate that is held at checkpoints: each keeps
// what it promises where its assumptions hold. Where costs are not linear, three of them promise
// nothing, and it shows.
#include <gtest/gtest.h>

#include "tests/statistics/agent_runs.h"

namespace handrail {
namespace {

constexpr const char* kContrast = "c-linucb-unknown";
constexpr const char* kSafeSet = "c-linucb2";
constexpr const char* kStagewise = "linucb:gate=stagewise";
constexpr std::uint64_t kEvery = 100;
// No baseline of the linear world costs less in any round of these runs: asserted below.
constexpr double kLeastBaselineCost = 0.1;
constexpr const char* kCheckpoint = "c-linucb2:gate=checkpoint,future_cost=0.1";
// A policy that does not care spends what it is lent.
constexpr const char* kSpendthrift = "uniform:gate=checkpoint,future_cost=0.1";

// Violations as these gates in question count them.
struct OwnCounts {
  Tally tally;                   // of the constraint in every round
  int violating_checkpoint = 0;  // runs that broke it at a checkpoint
  int dear = 0;                  // runs that played an arm above (1+α) times the baseline's
  bool baseline_below = false;   // whether one ever cost less than kLeastBaselineCost
};

OwnCounts count_all(const AgentRuns& what) {
  constexpr double kRounding = 1e-12;
  OwnCounts counts;
  for (int i = 1; i <= what.runs; ++i) {
    Run run = start(what, static_cast<std::uint64_t>(i));
    SlackWatch slack;
    bool at_checkpoint = false;
    bool dear = false;
    while (run.rounds() < what.rounds) {
      run.advance();
      const RoundRecord record = run.record();
      slack.look(run.metrics(), record.slack);
      const double baseline_cost = record.round.expected_costs[record.round.baseline.arm];
      const double played_cost = record.round.expected_costs[record.decision.arm];
      dear = dear || played_cost > (1.0 + kAlpha) * baseline_cost + kRounding;
      at_checkpoint =
          at_checkpoint || (run.rounds() % kEvery == 0 && run.metrics().promised().violated());
      counts.baseline_below = counts.baseline_below || baseline_cost < kLeastBaselineCost;
    }
    counts.tally.add(run.metrics(), slack);
    counts.violating_checkpoint += at_checkpoint ? 1 : 0;
    counts.dear += dear ? 1 : 0;
  }
  print_row({what.world, what.delay, what.agent, what.rounds}, counts.tally);
  return counts;
}

class LinearGates : public testing::Test {
 public:
  static void SetUpTestSuite() { print_heading("The gates of linear costs, and checkpoints"); }
};

// Hypothesis, in all of those that keep a promise: a run breaks it with probability at most δ =
// 0.05. 400 runs; false alarm below 1e-6. A gate that never opens would pass: it must open too.
TEST_F(LinearGates, ContrastKeepsItsPromiseWithoutKnowingTheBaselinesCost) {
  for (const char* delay : {"none", "50"}) {
    const Tally tally = run_all({.agent = kContrast, .world = "linear", .delay = delay});
    EXPECT_LE(tally.violating(), kMostOf400);
    EXPECT_LT(tally.baseline_rounds(), 0.9 * 3000);
  }
}

TEST_F(LinearGates, SafeSetKeepsItsPromiseAndReportsNoSlackThatIsNotThere) {
  for (const char* delay : {"none", "50"}) {
    const Tally tally = run_all({.agent = kSafeSet, .world = "linear", .delay = delay});
    EXPECT_LE(tally.violating(), kMostOf400);
    EXPECT_TRUE(tally.slack_said());
    EXPECT_LE(tally.slack_wrong(), kMostOf400);
    EXPECT_LT(tally.baseline_rounds(), 0.9 * 3000);
  }
}

TEST_F(LinearGates, CheckpointKeepsItsPromiseAtCheckpoints) {
  for (const char* agent : {kCheckpoint, kSpendthrift}) {
    const OwnCounts counts = count_all({.agent = agent, .world = "linear"});
    RecordProperty("violating_checkpoint", counts.violating_checkpoint);
    EXPECT_FALSE(counts.baseline_below);
    EXPECT_LE(counts.violating_checkpoint, kMostOf400);
    EXPECT_LE(counts.tally.slack_wrong(), kMostOf400);
    EXPECT_LT(counts.tally.baseline_rounds(), 0.95 * 3000);
  }
}

// And not between them. More than 44 of 400 runs disprove, with a false alarm below 1e-6, that the
// constraint is kept in every round with probability 0.95.
TEST_F(LinearGates, CheckpointIsNotHeldBetweenCheckpoints) {
  const Tally tally = run_all({.agent = kSpendthrift, .world = "linear", .rounds = kEvery});
  EXPECT_GT(tally.violating(), kMostOf400);
}

// With ten directions to learn of, and a fallback that does not explore, it hardly opens in 3000
// rounds; with two it does.
TEST_F(LinearGates, StagewiseNeverPlaysADearArm) {
  for (const char* world : {"linear", "linear:dim=2"}) {
    const OwnCounts counts = count_all({.agent = kStagewise, .world = world});
    RecordProperty("dear", counts.dear);
    EXPECT_LE(counts.dear, kMostOf400);
    EXPECT_LE(counts.tally.violating(), kMostOf400);
    EXPECT_LT(counts.tally.baseline_rounds(), 2999.0);
  }
}

// C-LinUCB's own gate, and every other that is held on a running sum, does play dear arms: theirs
// is another promise. More than 44 runs: as above.
TEST_F(LinearGates, TheOthersPlayDearArms) {
  for (const char* agent : {"c-linucb", kContrast, kSafeSet}) {
    const OwnCounts counts = count_all({.agent = agent, .world = "linear", .rounds = 1000});
    EXPECT_GT(counts.dear, kMostOf400) << agent;
  }
}

// Two arms look like the cheapest of the others and cost 0.95: no linear model can tell. More than
// 44 of 400 runs disprove, with a false alarm below 1e-6, that a gate keeps its promise with
// probability 0.95 there. The safe set is only fooled until Ub has seen what its arms cost, so it
// takes a baseline that earns less than one dear arm costs while it looks well known.
TEST_F(LinearGates, PromiseNothingWhereCostsAreNotLinear) {
  const Tally contrast = run_all({.agent = kContrast, .world = "misspecified", .rounds = 1000});
  EXPECT_GT(contrast.violating(), kMostOf400);
  const Tally safe_set =
      run_all({.agent = kSafeSet, .world = "misspecified:dim=2,rank=1", .rounds = 1000});
  EXPECT_GT(safe_set.violating(), kMostOf400);
  EXPECT_LE(safe_set.slack_wrong(), kMostOf400);  // what it certifies needs no model
  const OwnCounts stagewise =
      count_all({.agent = kStagewise, .world = "misspecified:dim=2", .rounds = 1000});
  EXPECT_GT(stagewise.dear, kMostOf400);
  const Tally certified = run_all(
      {.agent = "linucb:gate=certified", .world = "misspecified:dim=2,rank=1", .rounds = 1000});
  EXPECT_LE(certified.violating(), kMostOf400);
}

}  // namespace
}  // namespace handrail
