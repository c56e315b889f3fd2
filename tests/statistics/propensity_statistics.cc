// A logged propensity is the frequency of its arm: the same agent, asked about the same round under
// 100 000 other seeds, ends with each arm as often as the decision says. (The seed only draws; what
// was learned stays.)
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/base/assert.h"
#include "tests/statistics/agent_runs.h"

namespace handrail {
namespace {

constexpr std::uint64_t kSeed = 0x5EED'0123'4567'89AB;  // nothing else in a state looks like it
constexpr int kRedraws = 100'000;

// What an agent with this state would be under another seed.
class Redrawer {
 public:
  explicit Redrawer(const Agent& agent) : state_(agent.state()) {
    static_assert(std::endian::native == std::endian::little);
    std::string pattern(sizeof kSeed, '\0');
    std::memcpy(pattern.data(), &kSeed, sizeof kSeed);
    place_ = state_.find(pattern);
    HANDRAIL_ASSERT(place_ != std::string::npos && state_.find(pattern, place_ + 1) == state_.npos);
  }
  Decision decide(const Round& round, std::uint64_t seed) {
    std::memcpy(state_.data() + place_, &seed, sizeof seed);
    const Result<Agent> agent = Agent::from_state(state_, "test");
    HANDRAIL_ASSERT(agent.ok());
    const Result<Decision> decision = agent.value().plan(round, workspace_);
    HANDRAIL_ASSERT(decision.ok());
    return decision.value();
  }
  const Workspace& workspace() const { return workspace_; }

 private:
  std::string state_;
  std::size_t place_ = 0;
  Workspace workspace_;
};

struct Ending {
  int count = 0;
  double propensity = 0.0;
};

// How the next round of `run` ends, by arm.
std::vector<Ending> redraw(const Run& run) {
  EnvironmentRound round;
  run.environment().fill(run.rounds() + 1, round);
  const Round shown = round_of(round, run.environment().layout());
  Redrawer redrawer(run.agent());
  std::vector<Ending> endings(round.arm_count);
  for (int i = 0; i < kRedraws; ++i) {
    const Decision decision = redrawer.decide(shown, static_cast<std::uint64_t>(i));
    Ending& ending = endings[decision.arm];
    EXPECT_TRUE(ending.count == 0 || ending.propensity == decision.propensity.value());
    ++ending.count;
    ending.propensity = decision.propensity.value();
  }
  return endings;
}

// Hypothesis: each arm's count is binomial with its propensity. 100 000 redraws; each of 10 counts
// is off by more than Hoeffding's deviation with probability 1e-7, so a false alarm has 1e-6.
void expect_frequencies(const std::vector<Ending>& endings) {
  const double deviation = std::sqrt(kRedraws * std::log(2e7) / 2.0);
  double sum = 0.0;
  for (const Ending& ending : endings) {
    EXPECT_NEAR(ending.count, kRedraws * ending.propensity, deviation);
    sum += ending.propensity;
  }
  // Arms that never came up have no propensity on record; each is below deviation / kRedraws.
  EXPECT_LE(sum, 1.0 + 1e-12);
  EXPECT_GE(sum, 1.0 - static_cast<double>(endings.size()) * deviation / kRedraws);
}

// Arms that can be drawn and were refused, in the round that `run` has just played.
int refused_count(const Run& run) {
  const RoundRecord record = run.record();
  const std::span<const double> costs = record.workspace.predicted_costs();
  const double rest = record.decision.exposure - costs[record.decision.candidate];
  return static_cast<int>(std::ranges::count_if(
      costs, [&](double cost) { return rest + cost > record.decision.allowance; }));
}

// Stops before a round of which the paper's gate refuses some arms, and admits some.
Run run_before_a_mixed_verdict(const AgentRuns& what) {
  Run probe = start(what, kSeed);
  while (probe.rounds() < 100) probe.advance();
  int refused = 0;
  do {
    probe.advance();
    refused = refused_count(probe);
  } while (refused < 3 || refused > 7);
  Run run = start(what, kSeed);
  while (run.rounds() + 1 < probe.rounds()) run.advance();
  return run;
}

TEST(Propensity, OfThePapersGateIsTheFrequencyWithRefusalsIncluded) {
  const auto run = run_before_a_mixed_verdict(
      {.agent = "c-squarecb:oracle=ridge,gate=paper,margin_scale=0.2", .world = "linear"});
  const std::vector<Ending> endings = redraw(run);
  expect_frequencies(endings);
  const auto never = std::ranges::count_if(endings, [](const Ending& e) { return e.count == 0; });
  EXPECT_GE(never, 2);  // the gate did refuse
}

TEST(Propensity, OfTheOpenCertifiedGateIsTheFrequency) {
  auto run = start({.agent = "c-squarecb:oracle=ridge", .world = "linear"}, kSeed);
  while (run.rounds() < 1000) run.advance();
  expect_frequencies(redraw(run));
}

// No hypothesis: every draw ends on the baseline's arm.
TEST(Propensity, OfTheShutCertifiedGateIsOneExactly) {
  const auto run = start({.agent = "c-squarecb:oracle=ridge", .world = "linear"}, kSeed);
  for (const Ending& ending : redraw(run)) {
    if (ending.count == 0) continue;
    EXPECT_EQ(ending.count, kRedraws);
    EXPECT_EQ(ending.propensity, 1.0);
  }
}

}  // namespace
}  // namespace handrail
