// All gates in one small world with a running-mean oracle: the certified one with oracles that are
// good, blind or overtaken by events; the others where they can be trusted and where they cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "tests/statistics/tabular_runs.h"

namespace handrail {
namespace {

class TabularCertified : public testing::TestWithParam<std::tuple<Trouble, const char*>> {
 public:
  static void SetUpTestSuite() { print_heading("The certified gate over a running-mean oracle"); }
};

// Hypothesis: each run breaks the constraint, and each run ever reports too much slack, with
// probability at most δ = 0.05. 400 runs a configuration; false alarm below 1e-6 for each count.
TEST_P(TabularCertified, KeepsItsPromiseAndReportsNoSlackThatIsNotThere) {
  const auto [trouble, delay] = GetParam();
  const Tally tally = run_all({.trouble = trouble, .delay = delay});
  EXPECT_LE(tally.violating(), kMostOf400);
  EXPECT_LE(tally.slack_wrong(), kMostOf400);
  // A gate that never opens would pass the above.
  EXPECT_LT(tally.baseline_rounds(), 0.95 * 3000.0);
}

std::string test_name_of(const testing::TestParamInfo<std::tuple<Trouble, const char*>>& param) {
  constexpr std::array<const char*, 3> kOracles = {"Good", "Blind", "Switching"};
  std::string delay = std::get<1>(param.param);
  std::ranges::replace(delay, ':', '_');
  return std::string(kOracles[static_cast<std::size_t>(std::get<0>(param.param))])
      .append("_")
      .append(delay);
}

INSTANTIATE_TEST_SUITE_P(Oracles, TabularCertified,
                         testing::Combine(testing::Values(Trouble::kNone, Trouble::kBlind,
                                                          Trouble::kSwitch),
                                          testing::Values("none", "50", "outcome:5:300")),
                         test_name_of);

class TabularGates : public testing::Test {
 public:
  static void SetUpTestSuite() { print_heading("Other gates over the same oracle"); }
};

// Open members charge more rounds than the default; the same hypothesis.
TEST_F(TabularGates, CertifiedWithOpenMembersKeepsItsPromise) {
  const std::string gate = "gate=certified,members=open";
  const Tally tally = run_all({.gate_name = "certified, open members", .gate = gate});
  EXPECT_LE(tally.violating(), kMostOf400);
  EXPECT_LE(tally.slack_wrong(), kMostOf400);
}

// Long enough for the slower gates to open.
constexpr std::uint64_t kLong = 20'000;

// Where a gate breaks the constraint: more than 44 of 400 runs disprove, with a false alarm below
// 1e-6, that it is kept with probability 0.95.
TEST_F(TabularGates, NoGateBreaksTheConstraint) {
  const std::string gate = "gate=open";
  EXPECT_GT(run_all({.gate_name = "open", .gate = gate, .rounds = kLong}).violating(), kMostOf400);
}

TEST_F(TabularGates, PaperBreaksTheConstraintInRoundOne) {
  const std::string gate = "gate=paper";
  EXPECT_GT(run_all({.gate_name = "paper, realised regret", .gate = gate, .rounds = kLong})
                .violating_at_once(),
            kMostOf400);
}

// In a short run: after a long good half the allowance would outlast the bad one.
TEST_F(TabularGates, PaperWithASmallScaleBreaksTheConstraintWhenCostsJump) {
  const std::string gate = "gate=paper,margin_scale=1,margin_rounds=m_plus_one";
  const Tally tally =
      run_all({.trouble = Trouble::kSwitch,
               .gate_name = "paper, realised regret, margin_scale=1, margin_rounds=m_plus_one",
               .gate = gate});
  EXPECT_GT(tally.violating(), kMostOf400);
}

// Hypothesis: each run breaks the constraint with probability at most δ = 0.05. False alarm below
// 1e-6.
TEST_F(TabularGates, ModelKeepsItsPromiseWithTheRealisedRegret) {
  const std::string gate = "gate=model";
  const Tally tally =
      run_all({.gate_name = "model, realised regret", .gate = gate, .rounds = kLong});
  EXPECT_LE(tally.violating(), kMostOf400);
  EXPECT_LT(tally.baseline_rounds(), 0.9 * kLong);
}

TEST_F(TabularGates, ModelBreaksTheConstraintWhenTheOracleIsBlind) {
  const std::string gate = "gate=model";
  const Tally tally =
      run_all({.trouble = Trouble::kBlind, .gate_name = "model, realised regret", .gate = gate});
  EXPECT_GT(tally.violating(), kMostOf400);
}

}  // namespace
}  // namespace handrail
