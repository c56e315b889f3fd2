#include "handrail/report/report_json.h"

#include <gtest/gtest.h>

#include "tests/comparison_sample.h"

namespace handrail {
namespace {

std::string refusal(const std::string& results) {
  const Result<ComparisonResults> read = read_results({results, "results.json"});
  return read.ok() ? "no refusal" : read.error().message;
}

TEST(ReportJson, ReadsWhatAComparisonIsMadeOf) {
  const ComparisonResults results = read_results({kSampleResults, "results.json"}).value();
  ASSERT_EQ(results.environments.size(), 2u);
  EXPECT_EQ(results.environments[0].data, "a,\"b\"");
  EXPECT_EQ(results.environments[1].data, "</script>");
  ASSERT_EQ(results.agents.size(), 1u);
  EXPECT_EQ(results.agents[0].agent, "safe");
  EXPECT_TRUE(results.agents[0].conservative);
  EXPECT_EQ(results.alphas, (std::vector<double>{0.1, 0.5}));
  EXPECT_EQ(results.seed, 18446744073709551615u);
  ASSERT_EQ(results.cells.size(), 2u);
  EXPECT_EQ(results.cells[0].place.alpha, 1u);
  EXPECT_EQ(results.cells[0].columns[column_index("regret")].value, 1.0);
  EXPECT_EQ(results.cells[1].place.environment, 1u);
  EXPECT_EQ(results.cells[1].columns[column_index("cost_ratio")].value, 0.5);
  EXPECT_EQ(results.cells[1].columns[column_index("regret")].value, std::nullopt);
}

TEST(ReportJson, RefusesTextThatIsCutAnywhere) {
  for (std::size_t length = 0; length < kSampleResults.size(); ++length) {
    const std::string message = refusal(kSampleResults.substr(0, length));
    EXPECT_NE(message.find("results.json:1:"), std::string::npos) << length << message;
  }
}

TEST(ReportJson, NamesTheLineAndColumnOfWhatIsNoJson) {
  EXPECT_EQ(refusal("{\n \"a\": 1,\n  x}"),
            "results.json:3:3: not a whole JSON object; was it cut?");
  EXPECT_EQ(refusal("[]"), "results.json: a JSON object was expected");
  EXPECT_NE(refusal("{\"a\":\"\xff\"}").find("not a whole JSON object"), std::string::npos);
  EXPECT_NE(refusal("{\"a\":1e999}").find("results.json"), std::string::npos);
}

TEST(ReportJson, RefusesAnotherVersion) {
  EXPECT_EQ(refusal(with(kSampleResults, "results\":1", "results\":2")),
            "results.json: format 2; this program reads format 1");
  EXPECT_EQ(refusal("{}"),
            "results.json: no number handrail_results, so this is another kind of file");
}

TEST(ReportJson, NamesTheFieldThatIsWrong) {
  const struct {
    const char* part;
    const char* instead;
    const char* message;
  } cases[] = {
      {R"("alpha":0.5)", R"("alpha":"x")", R"(results[0].alpha is "x"; a number was expected)"},
      {R"("alpha":0.5)", R"("alpha":0.7)", "results[0].alpha is 0.7, which is not listed"},
      {R"("cost_ratio":0.5)", R"("cost_ratio":[])",
       "results[1].cost_ratio is a list; a number or null was expected"},
      {R"("mean":1)", R"("mean":"1")", R"(results[0].regret.mean is "1"; a number or null)"},
      {R"("regret":null)", R"("regret":3)", "results[1].regret is 3; an object or null"},
      {R"("agent":"safe","gate")", R"("gate")", "agents[0].agent is missing"},
      {R"("alphas":[0.1,0.5])", R"("alphas":[])", "alphas is a list; a list of numbers"},
      {R"("data":"a,\"b\"","notes")", R"("data":"</script>","notes")", "for the second time"},
      {R"("differences":[])", R"("differences":[{}])", "differences[0].data is missing"},
      {R"("tuning":[])", R"("tuning":3)", "tuning is 3; a list was expected"},
      {R"("version":"0.2.0")", R"("version":2)", "version is 2; a text was expected"},
      {R"("runs":2)", R"("runs":-1)", "runs is -1; a number that counts was expected"},
      {R"("cost_ratio":0.5)", R"("violating_runs":1.5)",
       "results[1].violating_runs is 1.5; a number that counts was expected"},
      {R"("conservative":true)", R"("conservative":1)",
       "agents[0].conservative is 1; true or false was expected"},
      {R"("notes":[])", R"("notes":[3])", "environments[0].notes is 3; a text was expected"},
  };
  for (const auto& [part, instead, message] : cases) {
    const std::string said = refusal(with(kSampleResults, part, instead));
    EXPECT_NE(said.find(message), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with("results.json: ")) << said;
  }
}

TEST(ReportJson, RefusesTheSameCellTwiceAndNoCells) {
  const std::string twice =
      with(with(kSampleResults, R"("data":"a,\"b\"","agent")", R"("data":"</script>","agent")"),
           R"("alpha":0.5)", R"("alpha":0.1)");
  EXPECT_NE(refusal(twice).find("results[1].data, agent and alpha"), std::string::npos);
  const std::size_t start = kSampleResults.find("\"results\":[") + 11;
  std::string none = kSampleResults;
  none.erase(start, none.find("],\"differences\"") - start);
  EXPECT_EQ(refusal(none), "results.json: results is empty");
}

TEST(ReportJson, RefusesTextThatIsNestedWithoutEnd) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_NE(refusal(with(kSampleResults, "null", deep)).find("levels deep"), std::string::npos);
}

TEST(ReportJson, ReadsTimings) {
  EXPECT_TRUE(read_timing({R"({"handrail_timing":1,"cells":[]})", "timing.json"}).ok());
  const auto said = [](const char* text) {
    return read_timing({text, "timing.json"}).error().message;
  };
  EXPECT_EQ(said(R"({"handrail_timing":1,"cells":[{}]})"), "timing.json: cells[0].data is missing");
  EXPECT_EQ(said(R"({"handrail_timing":3})"), "timing.json: format 3; this program reads format 1");
}

}  // namespace
}  // namespace handrail
