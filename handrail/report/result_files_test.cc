// A comparison that is played here, through its files and back.
#include "handrail/report/result_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "handrail/base/bytes.h"
#include "handrail/report/html_report.h"
#include "handrail/report/page_json.h"
#include "handrail/report/results.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

class NoObserver final : public ComparisonObserver {
 public:
  void look(std::uint64_t /*rounds_played*/) override {}
};

Comparison played(const std::vector<std::pair<std::string, std::string>>& settings) {
  const ComparisonPlan plan = plan_comparison(settings_from(settings)).value();
  EnvironmentShelf shelf{CatalogConfig{}};
  const std::vector<EnvironmentFacts> facts = inspect(plan, shelf).value();
  Journal journal = std::move(Journal::temporary()).value();
  RunMonitor monitor;
  NoObserver observer;
  const PlayOptions options = {
      .threads = 1, .monitor = monitor, .observer = observer, .facts = facts};
  EXPECT_TRUE(play_all(plan, shelf, journal, options).ok());
  const ComparisonSummary summary = summarise(plan, journal).value();
  const ResultsInput input{
      .plan = plan, .facts = facts, .summary = summary, .command = "handrail compare \"<ü>\""};
  return {.results = results_of(input),
          .curves = curves_of(input, journal).value(),
          .timing = timing_of(input, {.threads = 2, .seconds = 0.5})};
}

// A grid, several alphas and environments, agents with and without certified slack, and a title.
Comparison rich() {
  return played({{"title", "a \"b\""},
                 {"world", "linear:arms=4,dim=3"},
                 {"world", "armed:arms=3"},
                 {"agent", "c-squarecb:oracle=linear"},
                 {"agent", "squarecb:oracle=linear,lr=0.5|1e-06"},
                 {"agent", "baseline"},
                 {"alpha", "0.1"},
                 {"alpha", "1e-05"},
                 {"runs", "3"},
                 {"tuning-runs", "2"},
                 {"rounds", "60"}});
}

Comparison read_back(const Comparison& comparison) {
  const std::string folder = temporary_path("result_files");
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder + "/results.json", results_json(comparison.results)).ok());
  const std::string curves = curves_csv(comparison.results, comparison.curves);
  EXPECT_TRUE(write_file(folder + "/curves.csv", curves).ok());
  EXPECT_TRUE(write_file(folder + "/timing.json", timing_json(comparison.timing.value())).ok());
  Result<Comparison> read = read_comparison(folder);
  EXPECT_TRUE(read.ok()) << read.error().message;
  return std::move(read).value();
}

std::string page_of(const Comparison& comparison) {
  return page_json(comparison.results, comparison.curves, comparison.timing);
}

TEST(ResultFiles, ReadBackTheyGiveTheSamePage) {
  const Comparison comparison = rich();
  const Comparison read = read_back(comparison);
  EXPECT_EQ(page_of(read), page_of(comparison));
  if (!has_report()) GTEST_SKIP() << "built with -DHANDRAIL_REPORT=OFF";
  EXPECT_EQ(render_report(read).value(), render_report(comparison).value());
}

TEST(ResultFiles, ReadBackTheyGiveTheSameFiles) {
  const Comparison comparison = rich();
  const Comparison read = read_back(comparison);
  EXPECT_EQ(results_json(read.results), results_json(comparison.results));
  EXPECT_EQ(curves_csv(read.results, read.curves),
            curves_csv(comparison.results, comparison.curves));
  EXPECT_EQ(timing_json(read.timing.value()), timing_json(comparison.timing.value()));
}

TEST(ResultFiles, ADifferenceLiesInItsInterval) {
  const Comparison comparison = rich();
  double widest = 0.0;
  for (const DifferenceRecord& each : comparison.results.differences) {
    EXPECT_LE(each.low.value(), each.mean.value()) << each.agent << " minus " << each.against;
    EXPECT_LE(each.mean.value(), each.high.value()) << each.agent << " minus " << each.against;
    widest = std::max(widest, each.high.value() - each.low.value());
  }
  EXPECT_GT(widest, 0.0);
}

// Neither an error nor an interval.
TEST(ResultFiles, OfOneRunTheyReadBackToo) {
  const Comparison comparison = played({{"world", "armed:arms=3"},
                                        {"agent", "uniform"},
                                        {"agent", "baseline"},
                                        {"runs", "1"},
                                        {"rounds", "20"}});
  EXPECT_EQ(page_of(read_back(comparison)), page_of(comparison));
}

CurveSummary at(double mean) {
  CurveSummary summary;
  summary.mean = mean;
  return summary;
}

TEST(ResultFiles, ACurveThatBeginsLaterStandsInItsRows) {
  ComparisonResults results;
  results.environments.emplace_back().data = "a,\"b\"";
  results.agents.emplace_back().agent = "safe";
  results.alphas = {0.5};
  const std::vector<Curve> curves = {
      {.cell = {}, .quantity = 0, .rounds = {1, 100000}, .values = {at(1.0), at(2.0)}},
      {.cell = {}, .quantity = 2, .rounds = {1, 100000}, .values = {at(3.0), at(4.0)}},
      {.cell = {}, .quantity = 1, .rounds = {100000}, .values = {at(5.0)}}};
  EXPECT_EQ(curves_csv(results, curves),
            "data,agent,alpha,t,quantity,mean,stderr,q05,q25,q50,q75,q95\n"
            "\"a,\"\"b\"\"\",safe,0.5,1,regret,1,0,0,0,0,0,0\n"
            "\"a,\"\"b\"\"\",safe,0.5,1,explored_share,3,0,0,0,0,0,0\n"
            "\"a,\"\"b\"\"\",safe,0.5,100000,regret,2,0,0,0,0,0,0\n"
            "\"a,\"\"b\"\"\",safe,0.5,100000,cost_ratio,5,0,0,0,0,0,0\n"
            "\"a,\"\"b\"\"\",safe,0.5,100000,explored_share,4,0,0,0,0,0,0\n");
}

}  // namespace
}  // namespace handrail
