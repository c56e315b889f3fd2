#include "handrail/report/curves_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/comparison_sample.h"

namespace handrail {
namespace {

Result<std::vector<Curve>> read(const std::string& text) {
  return read_curves({text, "curves.csv"}, read_results({kSampleResults, "results.json"}).value());
}

std::string refusal(const std::string& text) {
  const Result<std::vector<Curve>> curves = read(text);
  return curves.ok() ? "no refusal" : curves.error().message;
}

const std::string kWhole = kSampleHeader + sample_rows();

TEST(CurvesReader, ReadsTheCurvesOfEveryCell) {
  const std::vector<Curve> curves = read(kWhole).value();
  ASSERT_EQ(curves.size(), 8u);
  EXPECT_EQ(kMetrics[kCurveMetrics[curves[0].quantity]].name, "regret");
  EXPECT_EQ(curves[0].cell.environment, 0u);
  EXPECT_EQ(curves[0].cell.alpha, 1u);
  EXPECT_EQ(curves[4].cell.environment, 1u);
  EXPECT_EQ(curves[0].rounds, (std::vector<std::uint64_t>{1, 10}));
  EXPECT_EQ(curves[0].values[1].mean, 0.123456789);
  EXPECT_TRUE(std::isnan(curves[0].values[0].standard_error));
  EXPECT_EQ(curves[0].values[0].q95, 1e5);
}

TEST(CurvesReader, ReadsLinesThatEndAsOnWindows) {
  std::string windows;
  for (const char c : kWhole) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read(windows).value().size(), 8u);
}

TEST(CurvesReader, RefusesAFileThatIsCutAnywhere) {
  for (std::size_t length = 0; length < kWhole.size(); ++length) {
    const std::string message = refusal(kWhole.substr(0, length));
    EXPECT_TRUE(message.starts_with("curves.csv:")) << length << ": " << message;
  }
}

TEST(CurvesReader, NamesTheLineAndColumnOfWhatIsWrong) {
  const struct {
    const char* part;
    const char* instead;
    const char* message;
  } cases[] = {
      {"mean,", "means,", "curves.csv:1: the header"},
      {",0.5,1,", ",0.7,1,", "curves.csv:2: column alpha is \"0.7\"; an alpha of the results"},
      {",0.5,1,", ",0.1,1,", "curves.csv:2: data, agent and alpha are those of no result"},
      {",safe,", ",unsafe,", "curves.csv:2: column agent is \"unsafe\"; an agent of the results"},
      {"</script>,", "letter,", "curves.csv:10: column data is \"letter\"; a data set"},
      {",1,regret", ",1,regrets", "curves.csv:2: column quantity is \"regrets\"; a known"},
      {",1,regret", ",-1,regret", "curves.csv:2: column t is \"-1\"; a round was expected"},
      {",10,regret", ",1,regret", "curves.csv:3: column t is \"1\"; a round after 1 was"},
      {"0.123456789", "abc", "curves.csv:2: column mean is \"abc\"; a number was expected"},
      {"1e5\n", "1e5,1\n", "curves.csv:2: more than 12 fields"},
      {",1e5\n", "\n", "curves.csv:2: 11 fields; 12 were expected"},
      {"\"\"\",safe", "\"\"\"x,safe", "curves.csv:2: text follows a closing quote"},
  };
  for (const auto& [part, instead, message] : cases) {
    const std::string said = refusal(with(kWhole, part, instead));
    EXPECT_TRUE(said.starts_with(message)) << said;
  }
}

TEST(CurvesReader, CountsTheLinesInsideQuotes) {
  const std::string message = refusal(kSampleHeader + "\"a\nb\",safe\n");
  EXPECT_EQ(message, "curves.csv:2: 2 fields; 12 were expected");
  EXPECT_TRUE(refusal(kSampleHeader + "\"a\nb\n").starts_with("curves.csv:2: a quote has no end"));
}

TEST(CurvesReader, RefusesCellsWithoutCurves) {
  const std::size_t second = kWhole.find("</script>");
  EXPECT_EQ(refusal(kWhole.substr(0, second)),
            "curves.csv: no rows for regret of agent safe on </script> at alpha 0.1");
  EXPECT_EQ(refusal(""),
            "curves.csv:1: the header of curves, data,agent,alpha,t,..., was expected");
}

}  // namespace
}  // namespace handrail
