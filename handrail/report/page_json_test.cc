#include "handrail/report/page_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace handrail {
namespace {

std::string with_command(const std::string& command) {
  ComparisonResults results;
  results.command = command;
  return page_json(results, {}, std::nullopt);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PageJson, IsTextThatCannotEndAScript) {
  const std::string json = with_command("</script> f\xc3\xbcr");
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_TRUE(holds(json, "\\u003c/script> f\\u00fcr"));
}

// A data set's names are whatever its file holds.
TEST(PageJson, ShowsThatBytesAreNoText) {
  EXPECT_TRUE(holds(with_command("a\xff"), "\"a\\ufffd\""));
}

TEST(PageJson, HasNumbersAsAReaderOfResultsFindsThem) {
  ComparisonResults results;
  results.seed = std::numeric_limits<std::uint64_t>::max();
  results.alphas = {5.0, -3.0, 0.1, 1e5, -0.0, std::numeric_limits<double>::infinity()};
  const std::string json = page_json(results, {}, std::nullopt);
  EXPECT_TRUE(holds(json, "\"alphas\":[5,-3,0.1,100000.0,0,null]")) << json;
  EXPECT_TRUE(holds(json, "\"seed\":18446744073709551615"));
  EXPECT_TRUE(holds(json, "\"runs\":null"));
}

TEST(PageJson, CurvesShareTheirRoundsAndHaveFiveDigits) {
  const CurveSummary summary = {.mean = 0.123456789,
                                .standard_error = std::nan(""),
                                .q05 = 0.0,
                                .q25 = 7.0,
                                .q50 = 7.0,
                                .q75 = 7.0,
                                .q95 = 1e5};
  const std::vector<Curve> curves = {
      {.cell = {}, .quantity = 0, .rounds = {1}, .values = {summary}},
      {.cell = {.environment = 0, .agent = 1, .alpha = 0},
       .quantity = 1,
       .rounds = {1},
       .values = {summary}}};
  EXPECT_TRUE(holds(page_json({}, curves, std::nullopt),
                    R"({"curves":[{"data":0,"agent":0,"alpha":0,"quantity":"regret","rounds":0,)"
                    R"("mean":[0.12346],"stderr":[null],"q05":[0],"q95":[1e+05]},)"
                    R"({"data":0,"agent":1,"alpha":0,"quantity":"cost_ratio","rounds":0,)"));
  EXPECT_TRUE(holds(page_json({}, curves, std::nullopt), R"("rounds":[[1]]})"));
}

}  // namespace
}  // namespace handrail
