#include "handrail/report/figures.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

std::string document(const std::string& json) {
  return "<html><script>\"handrail-figures\"</script><script id=\"handrail-figures\" "
         "type=\"application/json\">" +
         json + "</script></html>";
}

std::string refusal(const std::string& text, FigureFormat format) {
  const Result<std::vector<FigureFile>> figures = figures_in(text, format);
  return figures.ok() ? "no refusal" : figures.error().message;
}

TEST(Figures, TakesSvgOutOfADocument) {
  const std::string json = R"({"figures":[{"name":"a-1.5","content":"\u003csvg/>"}]})";
  const std::vector<FigureFile> figures = figures_in(document(json), FigureFormat::kSvg).value();
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].name, "a-1.5.svg");
  EXPECT_EQ(figures[0].bytes, "<svg/>");
}

TEST(Figures, DecodesPng) {
  // The signature and two, one and no bytes behind it: all lengths of padding.
  for (const auto& [text, size] : {std::pair("iVBORw0KGgoAAQ==", 10), std::pair("iVBORw0KGgo=", 8),
                                   std::pair("iVBORw0KGgoA", 9)}) {
    const std::string json = R"({"figures":[{"name":"a","content":")" + std::string(text) + "\"}]}";
    const auto figures = figures_in(document(json), FigureFormat::kPng);
    ASSERT_TRUE(figures.ok()) << figures.error().message;
    EXPECT_EQ(figures.value()[0].bytes.size(), static_cast<std::size_t>(size));
    EXPECT_TRUE(figures.value()[0].bytes.starts_with("\x89PNG"));
  }
}

TEST(Figures, RefusesNamesThatLeadElsewhere) {
  for (const char* name : {"", "../a", "/a", ".a", "a/b", "A", "a b"}) {
    const std::string json =
        R"({"figures":[{"name":")" + std::string(name) + R"(","content":"\u003csvg/>"}]})";
    EXPECT_NE(refusal(document(json), FigureFormat::kSvg).find("no file can be called"),
              std::string::npos)
        << name;
  }
}

TEST(Figures, RefusesWhatIsNoFigure) {
  EXPECT_NE(refusal("<html></html>", FigureFormat::kSvg).find("no figures"), std::string::npos);
  EXPECT_NE(refusal(document(R"({"error":"Error: no canvas"})"), FigureFormat::kPng).find("canvas"),
            std::string::npos);
  EXPECT_NE(refusal(document("{"), FigureFormat::kPng).find("was it cut"), std::string::npos);
  const std::string twice =
      R"({"figures":[{"name":"a","content":"\u003csvg/>"},{"name":"a","content":"\u003csvg/>"}]})";
  EXPECT_NE(refusal(document(twice), FigureFormat::kSvg).find("two figures a.svg"),
            std::string::npos);
  for (const char* content : {"", "iVBOR", "iVBORw0KGg*=", "AAAA"}) {
    const std::string json =
        R"({"figures":[{"name":"a","content":")" + std::string(content) + "\"}]}";
    EXPECT_EQ(refusal(document(json), FigureFormat::kPng), "the browser gave no PNG for a");
    EXPECT_EQ(refusal(document(json), FigureFormat::kSvg), "the browser gave no SVG for a");
  }
}

}  // namespace
}  // namespace handrail
