// What safety costs where costs are linear, and the trivial agents that any comparison includes.
#include <gtest/gtest.h>

#include "tests/statistics/agent_runs.h"

namespace handrail {
namespace {

class Regret : public testing::Test {
 public:
  static void SetUpTestSuite() { print_heading("What a gate costs in the linear world"); }
};

AgentRuns twenty_of(const std::string& agent) {
  return {.agent = agent, .world = "linear", .rounds = 20'000, .runs = 20};
}

// Hypothesis: the expected regret is at most 1.5 times that without a gate. 20 pairs of runs that
// meet the same luck. Measured: 309 against 274, and certified − 1.5·open of a pair is −102 with a
// standard deviation of 35; so the mean of 20 is 13 of its standard deviations below 0, where
// chance does not reach: false alarm below 1e-6.
TEST_F(Regret, OfTheCertifiedGateIsCloseToThatOfNone) {
  const Tally certified = run_all(twenty_of("c-squarecb:oracle=ridge"));
  const Tally open = run_all(twenty_of("c-squarecb:oracle=ridge,gate=open"));
  EXPECT_LE(certified.regret(), 1.5 * open.regret());
}

// No hypothesis: numbers to read next to the above. The margin as printed, 16·√(m(Reg + log(4/δ))),
// keeps to the baseline for most of the run.
TEST_F(Regret, OfThePapersMarginIsThatOfWaiting) {
  const Tally paper = run_all(twenty_of("c-squarecb:oracle=ridge,gate=paper"));
  EXPECT_GT(paper.baseline_rounds(), 10'000.0);
}

TEST_F(Regret, OfThePapersMarginAtScaleOneIsPrinted) {
  const Tally paper = run_all(twenty_of("c-squarecb:oracle=ridge,gate=paper,margin_scale=1"));
  EXPECT_LT(paper.baseline_rounds(), 10'000.0);
}

// Hypothesis: each run breaks the constraint with probability at most δ = 0.05; then more than 8 of
// 20 have a probability below 1e-6.
TEST_F(Regret, OfTheModelGateIsPrinted) {
  const Tally model = run_all(twenty_of("c-squarecb:oracle=ridge,gate=model"));
  EXPECT_LE(model.violating(), 8);
}

// No hypothesis: the ratio is a quotient of equal sums.
TEST_F(Regret, OfAlwaysTheBaselineIsAtRatioOneExactly) {
  for (const char* world : {"linear", "misspecified", "drifting", "nonlinear", "armed"}) {
    const Tally tally = run_all({.agent = "baseline", .world = world, .runs = 20});
    EXPECT_EQ(tally.cost_ratio(), 1.0) << world;
    EXPECT_EQ(tally.violating(), 0) << world;
  }
}

}  // namespace
}  // namespace handrail
