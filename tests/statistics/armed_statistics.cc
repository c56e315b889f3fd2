// The gates for arms without context, where their assumption holds: every arm costs the same in all
// rounds. With probability 1 − δ cumulative expected cost stays within (1 + α) times the
// baseline's, whether its cost is known or not, and whenever costs become known.
#include <gtest/gtest.h>

#include "tests/statistics/agent_runs.h"
#include "tests/world_fixture.h"

namespace handrail {
namespace {

constexpr const char* kHiding = "outcome:5:300";  // a cost of 1 stays unknown for 300 rounds

class ArmedAgent : public testing::Test {
 public:
  static void SetUpTestSuite() { print_heading("Arms without context"); }
};

// A world as it is, but what its baseline costs is not told.
class Untold final : public Environment {
 public:
  explicit Untold(std::unique_ptr<Environment> world) : world_(std::move(world)) {}

  std::string name() const override { return world_->name(); }
  EnvironmentKind kind() const override { return world_->kind(); }
  std::uint32_t fingerprint() const override { return world_->fingerprint(); }
  BaselineKnown baseline_known() const override { return BaselineKnown::kUnknown; }
  FeatureLayout layout() const override { return world_->layout(); }
  std::size_t arm_count() const override { return world_->arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    world_->fill(t, out);
    out.baseline.cost = 0.0;
  }
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    return world_->outcome(round, arm);
  }

 private:
  std::unique_ptr<Environment> world_;
};

Tally run_untold(const AgentRuns& what) {
  Tally tally;
  for (int seed = 1; seed <= what.runs; ++seed) {
    auto environment = std::make_unique<Untold>(
        world(what.world + ",delay=" + what.delay, static_cast<std::uint64_t>(seed)));
    Result<Agent> agent = Agent::make({.agent = what.agent,
                                       .alpha = kAlpha,
                                       .delta = kDelta,
                                       .seed = static_cast<std::uint64_t>(seed),
                                       .baseline_known = BaselineKnown::kUnknown,
                                       .layout = environment->layout()});
    HANDRAIL_ASSERT(agent.ok());
    Run run(std::move(environment), std::move(agent).value());
    while (run.rounds() < what.rounds) run.advance();
    tally.add(run.metrics(), SlackWatch());
  }
  print_row({what.world + ", untold", what.delay, what.agent, what.rounds}, tally);
  return tally;
}

// Hypothesis: each run breaks the constraint with probability at most δ = 0.05. 400 runs a
// configuration; false alarm below 1e-6 for each. A gate that never opens would pass: so it must
// play something else in at least a twentieth of the rounds.
void expect_kept(const Tally& tally, const AgentRuns& what) {
  EXPECT_LE(tally.violating(), kMostOf400) << what.agent << " " << what.delay;
  EXPECT_LT(tally.baseline_rounds(), 0.95 * static_cast<double>(what.rounds)) << what.agent;
}

TEST_F(ArmedAgent, KeepsItsPromiseWhereTheBaselineCostIsKnown) {
  for (const AgentRuns& what : {AgentRuns{"c-ucb", "armed:arms=4", "none", 3000},
                                AgentRuns{"c-ucb", "armed:arms=4", "50", 3000},
                                AgentRuns{"c-ucb", "armed:arms=4", kHiding, 3000},
                                AgentRuns{"c-ucb:arm_width=first", "armed:arms=4", "none", 3000},
                                AgentRuns{"uniform:gate=armwise", "armed:arms=4", "none", 3000}}) {
    expect_kept(run_all(what), what);
  }
}

TEST_F(ArmedAgent, KeepsItsPromiseWhereTheBaselineCostIsUnknown) {
  for (const char* delay : {"none", "50", kHiding}) {
    const AgentRuns what = {"c-ucb", "armed:arms=4", delay, 3000};
    expect_kept(run_untold(what), what);
  }
}

// Its control breaks the constraint in most runs, so that there is something to keep.
TEST_F(ArmedAgent, WouldBreakTheConstraintWithoutAGate) {
  EXPECT_GT(run_all({"ucb", "armed:arms=4", "none", 1000}).violating(), kMostOf400);
}

// A rate that holds where the widths do: arms at 0.2, 0.5 (the baseline's) and 0.8 have gaps of 0.3
// and 0.6, and an arm is played at most 1 + 4ψ/gap² times, so 480 and 119 times. The regret is at
// most 0.6 a round for 119 rounds and 0.3 for 480 more, which 9√s exceeds for every s. 400 runs;
// each may break the constraint with probability δ.
TEST_F(ArmedAgent, BudgetFirstKeepsItsPromiseWithARateThatHolds) {
  const AgentRuns what = {"budget-first:budget_regret=9", "armed:arms=3,rank=2", "none", 10'000};
  expect_kept(run_all(what), what);
  expect_kept(run_untold(what), what);
}

}  // namespace
}  // namespace handrail
