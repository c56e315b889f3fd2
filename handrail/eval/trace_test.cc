#include "handrail/eval/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "handrail/eval/trace_reader.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Trace, ALineReadsBackAsTheSameBits) {
  auto run = run_of({{"agent", "c-fastcb:oracle=linear,gate=paper,margin_scale=0.01"},
                     {"world", "linear:arms=4,dim=3"},
                     {"delay", "2"}});
  advance(run, 60);
  std::istringstream in(trace_of(run, 1));
  TraceReader reader(in, "trace");
  ASSERT_TRUE(reader.header().ok());
  const TraceRound read = reader.next().value().value();
  const RoundRecord record = run.record();
  const auto costs = record.workspace.predicted_costs();
  EXPECT_EQ(read.t, 61u);
  EXPECT_EQ(read.predicted_costs, std::vector<double>(costs.begin(), costs.end()));
  const auto p = record.workspace.distribution().probabilities();
  EXPECT_EQ(read.distribution, std::vector<double>(p.begin(), p.end()));
  EXPECT_EQ(read.gamma, record.workspace.gamma());
  EXPECT_EQ(read.candidate, record.decision.candidate);
  EXPECT_EQ(read.exposure, record.decision.exposure);
  EXPECT_EQ(read.margin, record.decision.margin);
  EXPECT_EQ(read.allowance, record.decision.allowance);
  EXPECT_EQ(read.choice, record.decision.choice);
  EXPECT_EQ(read.arm, record.decision.arm);
  EXPECT_EQ(read.propensity, record.decision.propensity);
  EXPECT_EQ(read.centre, record.decision.centre);
  EXPECT_EQ(read.regret_bound, 1.0);
  EXPECT_EQ(read.slack, std::nullopt);
  EXPECT_EQ(read.baseline_arm, record.round.baseline.arm);
  EXPECT_EQ(read.baseline_cost, record.round.baseline.cost);
  EXPECT_EQ(read.cost, record.outcome.cost);
  EXPECT_EQ(read.arrives, 63u);
  EXPECT_EQ(read.expected_cost, record.expected_cost);
  EXPECT_EQ(read.best_cost, record.best_cost);
}

// A hundred thousand arms, of which a line speaks of three at most.
TEST(Trace, ALineOfFewArmsReadsBackAsTheSameBits) {
  auto run = run_of({{"agent", "smooth-igw:oracle=ridge"}, {"world", "product"}});
  bool estimated = false;
  bool exact = false;
  for (int t = 1; t <= 40; ++t) {
    const std::string text = trace_of(run, 1);
    std::istringstream in(text);
    TraceReader reader(in, "trace");
    ASSERT_TRUE(reader.header().ok());
    const TraceRound read = reader.next().value().value();
    const RoundRecord record = run.record();
    const Workspace& workspace = record.workspace;
    ASSERT_LE(read.support.size(), 3u);
    EXPECT_TRUE(std::ranges::equal(read.support, workspace.support()));
    EXPECT_TRUE(std::ranges::equal(read.predicted_costs, workspace.predicted_costs()));
    EXPECT_TRUE(std::ranges::equal(read.distribution, workspace.distribution().probabilities()));
    EXPECT_EQ(read.arm, record.decision.arm);
    EXPECT_EQ(read.propensity, record.decision.propensity);
    EXPECT_EQ(read.propensity_stderr, record.decision.propensity_error);
    EXPECT_EQ(read.expected_cost, record.expected_cost);
    EXPECT_LT(text.size(), 4000u);
    (record.decision.propensity_error > 0.0 ? estimated : exact) = true;
  }
  EXPECT_TRUE(estimated && exact);
}

TEST(Trace, TheHeaderOfALaterPartNamesItsFirstRound) {
  auto run = run_of({{"agent", "uniform"}});
  EXPECT_TRUE(holds(trace_header(run), "\"first_round\":1,"));
  advance(run, 9);
  EXPECT_TRUE(holds(trace_header(run), "\"first_round\":10,"));
}

TEST(Trace, TheShutGatesInfiniteExposureIsWrittenAsNothing) {
  auto run = run_of({{"agent", "baseline"}});
  EXPECT_TRUE(holds(trace_of(run, 1), "\"exposure\":0,\"margin\":0,"));
}

TEST(Trace, APolicyWithoutPredictionsWritesNone) {
  auto run = run_of({{"agent", "uniform"}});
  EXPECT_TRUE(holds(trace_header(run), "\"weighting\":null,"));
  EXPECT_TRUE(holds(trace_of(run, 1), "\"predicted_costs\":[],\"gamma\":null,"));
}

TEST(Trace, TheConfigSaysWhereTheRegretBoundComesFrom) {
  const auto source = [](const std::string& agent, const std::string& expected) {
    const auto run = run_of({{"agent", agent}});
    return holds(trace_header(run), "\"regret_bound_source\":\"" + expected + "\"");
  };
  EXPECT_TRUE(source("c-squarecb:oracle=ridge", "oracle"));
  EXPECT_TRUE(source("c-squarecb:oracle=ridge,regret_bound=3", "given"));
  EXPECT_TRUE(source("c-squarecb:oracle=linear", "assumed"));
  EXPECT_TRUE(source("linucb:oracle=ridge", "assumed"));  // its policy has no oracle
}

TEST(Trace, AModelThatIsDrawnOnceHasNoChancesAndSeveralHaveAnError) {
  auto once = run_of({{"agent", "lints"}});
  EXPECT_FALSE(holds(trace_header(once), "chance_error"));
  const std::string line = trace_of(once, 1);
  EXPECT_TRUE(holds(line, "\"distribution\":null,"));
  EXPECT_TRUE(holds(line, "\"propensity\":null,"));
  auto often = run_of({{"agent", "lints:draws=25"}});
  EXPECT_TRUE(holds(trace_header(often), "\"draws\":25,"));
  EXPECT_TRUE(holds(trace_header(often), "\"chance_error\":0.1}"));  // 1/(2·√25)
  EXPECT_TRUE(holds(trace_of(often, 1), "\"distribution\":["));
}

TEST(Trace, FeaturesAreWrittenOnlyIfAskedFor) {
  auto run = run_of({{"agent", "uniform"}, {"world", "armed:arms=3"}});
  run.advance();
  EXPECT_FALSE(holds(trace_line(run.record(), {}), "features"));
  EXPECT_TRUE(holds(trace_line(run.record(), {.features = true}), ",\"features\":[1]}"));
}

}  // namespace
}  // namespace handrail
