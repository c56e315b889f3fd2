#include "handrail/safety/certified_gate.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <vector>

#include "handrail/safety/ledger.h"

namespace handrail {
namespace {

struct Story {
  std::vector<int> open_rounds;
  double bound_after_last_decision = 0.0;
};

// α = .1, baseline cost .57, no reserve, the candidate is never the baseline's arm, centre .3. The
// n-th open round's cost is cost(n), known `delay` rounds later.
Story tell(const std::function<double(std::size_t)>& cost, int delay) {
  constexpr int kRounds = 200;
  Ledger ledger({.alpha = 0.1, .reserve = 0.0});
  CertifiedGate gate(0.05, BoundKind::kMinimum, Members::kRisky);
  std::multimap<int, double> arrivals;
  Story story;
  for (int t = 1; t <= kRounds; ++t) {
    Decision decision;
    decision.baseline = {.arm = 0, .cost = .57};
    if (admits(gate.exposure().value, ledger.allowance(.57))) {
      decision.choice = Choice::kExplore;
      decision.arm = 1;
      gate.book_member(.3);
      arrivals.emplace(t + delay, cost(story.open_rounds.size()));
      story.open_rounds.push_back(t);
    }
    ledger.book(decision, is_member(gate.members(), decision));
    story.bound_after_last_decision = gate.cost_bound();
    for (; !arrivals.empty() && arrivals.begin()->first <= t; arrivals.erase(arrivals.begin())) {
      gate.reveal_member(.3, arrivals.begin()->second);
    }
  }
  return story;
}

std::vector<int> first(const Story& story, std::size_t count) {
  return {story.open_rounds.begin(),
          story.open_rounds.begin() + static_cast<std::ptrdiff_t>(count)};
}

TEST(CertifiedGate, OpensForGoodWhenCostsAreZero) {
  const Story story = tell([](std::size_t) { return 0.0; }, 0);
  EXPECT_EQ(first(story, 8), (std::vector<int>{8, 16, 23, 31, 38, 46, 47, 48}));
  EXPECT_EQ(story.open_rounds.size(), 160u);
  EXPECT_NEAR(story.bound_after_last_decision, 10.595047, 1e-6);
}

TEST(CertifiedGate, WaitsForCostsThatComeLate) {
  const Story story = tell([](std::size_t) { return 0.0; }, 5);
  EXPECT_EQ(first(story, 14),
            (std::vector<int>{8, 16, 23, 31, 38, 46, 52, 53, 54, 58, 59, 60, 61, 62}));
  EXPECT_EQ(story.open_rounds.size(), 152u);
  EXPECT_NEAR(story.bound_after_last_decision, 16.675625, 1e-6);
}

TEST(CertifiedGate, PacesItselfWhenEverySecondCostIsOne) {
  const Story story = tell([](std::size_t n) { return n % 2 == 0 ? 1.0 : 0.0; }, 0);
  EXPECT_EQ(first(story, 14),
            (std::vector<int>{8, 16, 23, 31, 38, 46, 53, 61, 68, 76, 83, 91, 99, 106}));
  EXPECT_EQ(story.open_rounds.size(), 63u);
  EXPECT_NEAR(story.bound_after_last_decision, 46.900491, 1e-6);
}

TEST(CertifiedGate, IsShutInRoundOneUnlessTheBaselineOrAReserveCoversACostOfOne) {
  const CertifiedGate gate(0.05, BoundKind::kMinimum, Members::kRisky);
  const auto open = [&](double baseline_cost, double reserve) {
    const Ledger ledger({.alpha = 0.1, .reserve = reserve});
    return admits(gate.exposure().value, ledger.allowance(baseline_cost));
  };
  EXPECT_FALSE(open(0.9, 0.0));
  EXPECT_TRUE(open(0.95, 0.0));
  EXPECT_TRUE(open(0.0, 1.0));
  EXPECT_FALSE(open(0.0, 0.999));
}

TEST(CertifiedGate, MarginIsTheBoundBeyondWhatWasSeen) {
  CertifiedGate gate(0.05, BoundKind::kMinimum, Members::kRisky);
  for (int i = 0; i < 20; ++i) gate.book_member(0.2);
  EXPECT_EQ(gate.exposure().margin, 0.0);  // nothing known: all of it counts as seen
  for (int i = 0; i < 20; ++i) gate.reveal_member(0.2, 0.0);
  EXPECT_EQ(gate.exposure().margin, gate.cost_bound());
  EXPECT_EQ(gate.exposure().value, gate.cost_bound() + 1.0);
}

TEST(CertifiedGate, KnowsItsMembers) {
  Decision risky;
  risky.choice = Choice::kExplore;
  risky.arm = 1;
  Decision drew_the_baseline = risky;
  drew_the_baseline.arm = drew_the_baseline.baseline.arm;
  const Decision shut;
  EXPECT_TRUE(is_member(Members::kRisky, risky));
  EXPECT_FALSE(is_member(Members::kRisky, drew_the_baseline));
  EXPECT_FALSE(is_member(Members::kRisky, shut));
  EXPECT_TRUE(is_member(Members::kOpen, risky));
  EXPECT_TRUE(is_member(Members::kOpen, drew_the_baseline));
  EXPECT_FALSE(is_member(Members::kOpen, shut));
}

}  // namespace
}  // namespace handrail
