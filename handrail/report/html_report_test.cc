#include "handrail/report/html_report.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "handrail/base/bytes.h"
#include "tests/comparison_sample.h"

namespace handrail {
namespace {

ComparisonFiles sample() {
  return {"dir", kSampleResults, kSampleHeader + sample_rows(), std::nullopt};
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

TEST_F(HtmlReport, NamesTheFileThatIsWrong) {
  ComparisonFiles files = sample();
  files.timing_json = "{}";
  EXPECT_TRUE(render_report(files).error().message.starts_with("dir/timing.json: "));
  files.curves_csv.clear();
  EXPECT_TRUE(render_report(files).error().message.starts_with("dir/curves.csv:1: "));
  files.results_json.pop_back();
  EXPECT_TRUE(render_report(files).error().message.starts_with("dir/results.json:1:"));
}

TEST(ComparisonFiles, AreReadFromAFolderWithOrWithoutTimings) {
  const std::string folder = ::testing::TempDir() + "comparison_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_NE(read_comparison(folder).error().message.find("results.json: cannot open"),
            std::string::npos);
  ASSERT_TRUE(write_file(folder + "/results.json", "r").ok());
  EXPECT_NE(read_comparison(folder).error().message.find("curves.csv: cannot open"),
            std::string::npos);
  ASSERT_TRUE(write_file(folder + "/curves.csv", "c").ok());
  EXPECT_FALSE(read_comparison(folder).value().timing_json.has_value());
  ASSERT_TRUE(write_file(folder + "/timing.json", "t").ok());
  EXPECT_EQ(read_comparison(folder).value().timing_json, "t");
  EXPECT_EQ(read_comparison(folder).value().results_json, "r");
}

}  // namespace
}  // namespace handrail
