// The promise of the default agent: with probability 1 − δ, cumulative expected cost stays within
// (1 + α) times the baseline's at every round, and the slack that the agent reports is at most the
// true one. Whatever the oracle believes: the worlds include one that lies to it and one that
// turns on it; and whenever costs become known: a delay that hides the bad news is among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/statistics/agent_runs.h"

namespace handrail {
namespace {

constexpr const char* kSquare = "c-squarecb:oracle=ridge";
constexpr const char* kFast = "c-fastcb:oracle=linear";
constexpr const char* kMixture = "c-squarecb:oracle=ridge,bound=mixture";
constexpr const char* kHiding = "outcome:5:300";  // a cost of 1 stays unknown for 300 rounds

class CertifiedAgent : public testing::TestWithParam<AgentRuns> {
 public:
  static void SetUpTestSuite() {
    print_heading("The certified gate, whatever the oracle believes");
  }
};

// Hypothesis: each run breaks the constraint, and each run ever reports too much slack, with
// probability at most δ = 0.05. 400 runs a configuration; false alarm below 1e-6 for each count.
TEST_P(CertifiedAgent, KeepsItsPromiseAndReportsNoSlackThatIsNotThere) {
  const Tally tally = run_all(GetParam());
  RecordProperty("violating", tally.violating());
  RecordProperty("slack_wrong", tally.slack_wrong());
  EXPECT_LE(tally.violating(), kMostOf400);
  EXPECT_LE(tally.slack_wrong(), kMostOf400);
  // A gate that never opens would pass the above.
  EXPECT_LT(tally.baseline_rounds(), 0.9 * static_cast<double>(GetParam().rounds));
}

std::string name_of(const testing::TestParamInfo<AgentRuns>& info) {
  std::string name = info.param.agent + "_" + info.param.world + "_" + info.param.delay;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Runs, CertifiedAgent,
    testing::Values(AgentRuns{kSquare, "linear"}, AgentRuns{kSquare, "linear", "50"},
                    AgentRuns{kSquare, "linear", kHiding}, AgentRuns{kSquare, "misspecified"},
                    AgentRuns{kSquare, "misspecified", "50"},
                    AgentRuns{kSquare, "misspecified", kHiding}, AgentRuns{kSquare, "drifting"},
                    AgentRuns{kSquare, "drifting", "50"}, AgentRuns{kSquare, "drifting", kHiding},
                    AgentRuns{kMixture, "linear", "none", 1000}, AgentRuns{kFast, "linear"},
                    AgentRuns{kFast, "misspecified", kHiding}, AgentRuns{kFast, "drifting", "50"}),
    name_of);

}  // namespace
}  // namespace handrail
