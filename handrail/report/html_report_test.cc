#include "handrail/report/html_report.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "handrail/base/bytes.h"
#include "tests/comparison_sample.h"
#include "tests/temporary_path.h"

namespace handrail {
namespace {

// A folder with these files; timing.json only if there is any.
std::string folder_of(const std::string& results, const std::string& curves,
                      const std::string& timing) {
  const std::string folder = temporary_path("html_report");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder + "/results.json", results).ok());
  EXPECT_TRUE(write_file(folder + "/curves.csv", curves).ok());
  const std::string timing_path = folder + "/timing.json";
  EXPECT_TRUE(timing.empty() || write_file(timing_path, timing).ok());
  return folder;
}

const std::string kCurves = kSampleHeader + sample_rows();

Comparison sample() {
  return read_comparison(folder_of(kSampleResults, kCurves, "")).value();
}

std::string refusal(const std::string& results, const std::string& curves,
                    const std::string& timing) {
  const std::string folder = folder_of(results, curves, timing);
  const Result<Comparison> read = read_comparison(folder);
  return read.ok() ? "no refusal" : read.error().message.substr(folder.size() + 1);
}

class HtmlReport : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_report()) GTEST_SKIP() << "built with -DHANDRAIL_REPORT=OFF";
  }
};

TEST_F(HtmlReport, PutsTheReportIntoThePageOnce) {
  const std::string html = render_report(sample()).value();
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_EQ(html.find("handrail-report-goes-here"), std::string::npos);
  const std::size_t place = html.find("{\"results\":{");
  ASSERT_NE(place, std::string::npos);
  const std::string report = html.substr(place, html.find("</script>", place) - place);
  EXPECT_EQ(report.find('<'), std::string::npos);
  EXPECT_TRUE(report.ends_with(",\"timing\":null}"));
}

TEST_F(HtmlReport, RoundsCurvesToWhatAFigureCanShow) {
  const std::string html = render_report(sample()).value();
  EXPECT_NE(html.find(R"("mean":[0.12346,0.12346],"stderr":[null,null])"), std::string::npos);
  EXPECT_NE(html.find(R"("q95":[1e+05,1e+05])"), std::string::npos);
  EXPECT_NE(html.find(R"("rounds":[[1,10]]})"), std::string::npos);
}

TEST(Comparison, NamesTheFileThatIsWrong) {
  EXPECT_TRUE(refusal(kSampleResults, kCurves, "{}").starts_with("timing.json: "));
  EXPECT_TRUE(refusal(kSampleResults, "", "{}").starts_with("curves.csv:1: "));
  EXPECT_TRUE(refusal("{", "", "{}").starts_with("results.json:1:"));
}

TEST(Comparison, IsReadFromAFolderWithOrWithoutTimings) {
  const std::string timing = R"({"handrail_timing":1,"threads":2,"cells":[]})";
  EXPECT_EQ(read_comparison(folder_of(kSampleResults, kCurves, timing)).value().timing->threads,
            2u);
  EXPECT_FALSE(sample().timing.has_value());
  const std::string folder = folder_of(kSampleResults, kCurves, "");
  std::filesystem::remove(folder + "/curves.csv");
  EXPECT_NE(read_comparison(folder).error().message.find("curves.csv: cannot open"),
            std::string::npos);
  std::filesystem::remove(folder + "/results.json");
  EXPECT_NE(read_comparison(folder).error().message.find("results.json: cannot open"),
            std::string::npos);
}

}  // namespace
}  // namespace handrail
