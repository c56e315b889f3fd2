#include "handrail/data/openml_columns.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

using Names = std::vector<std::string>;

const std::vector<OpenmlFeature> kFeatures = {
    {.name = "id", .kind = "numeric", .is_ignored = true},
    {.name = "x", .kind = "numeric"},
    {.name = "odd, name", .kind = "nominal"},
    {.name = "c", .kind = "nominal", .is_target = true},
    {.name = "d", .kind = "nominal"},
};

OpenmlDescription description(std::string target, Names ignored = {}) {
  OpenmlDescription of;
  of.target = std::move(target);
  of.ignored = std::move(ignored);
  return of;
}

std::string refusal(const OpenmlDescription& of, std::span<const OpenmlFeature> features,
                    std::string_view wanted = {}) {
  const Result<OpenmlColumns> columns = choose_openml_columns(of, features, wanted);
  return columns.ok() ? "no refusal" : columns.error().message;
}

TEST(OpenmlColumns, TakeTheTargetAsTheClass) {
  const OpenmlColumns columns = choose_openml_columns(description("c"), kFeatures, {}).value();
  EXPECT_EQ(columns.class_column, "c");
  EXPECT_EQ(columns.ignored, Names{"id"});
}

TEST(OpenmlColumns, TakeWhatTheFeaturesSayWhereTheDescriptionDoesNot) {
  EXPECT_EQ(choose_openml_columns(description(""), kFeatures, {}).value().class_column, "c");
}

TEST(OpenmlColumns, SetAsideWhatTheDescriptionNames) {
  const auto ignored = [](Names names) {
    return choose_openml_columns(description("c", std::move(names)), kFeatures, {}).value().ignored;
  };
  EXPECT_EQ(ignored({"x"}), (Names{"id", "x"}));
  EXPECT_EQ(ignored({"x, d"}), (Names{"id", "x", "d"}));
  EXPECT_EQ(ignored({"odd, name"}), (Names{"id", "odd, name"}));
  EXPECT_EQ(ignored({"absent"}), Names{"id"});
}

TEST(OpenmlColumns, NeverSetTheClassAside) {
  EXPECT_EQ(choose_openml_columns(description("c", {"c", "d"}), kFeatures, {}).value().ignored,
            (Names{"id", "d"}));
}

TEST(OpenmlColumns, LetTheCallerChoose) {
  const OpenmlColumns other = choose_openml_columns(description("c"), kFeatures, "d").value();
  EXPECT_EQ(other.class_column, "d");
  EXPECT_EQ(other.ignored, Names{"id"});
  const OpenmlColumns one = choose_openml_columns(description("c,d"), kFeatures, "d").value();
  EXPECT_EQ(one.class_column, "d");
  EXPECT_EQ(one.ignored, (Names{"id", "c"}));
}

TEST(OpenmlColumns, RefuseWhatIsNoClass) {
  EXPECT_EQ(refusal(description("x"), kFeatures),
            "its class column \"x\" is numeric; a class has to be nominal");
  EXPECT_EQ(refusal(description("c,d"), kFeatures),
            "it has 2 target columns, \"c\", \"d\"; choose one of them as the class");
  EXPECT_EQ(refusal(description("cc"), kFeatures),
            "its class was to be column \"cc\", and it has none of that name; the nearest is "
            "\"c\"");
  EXPECT_EQ(refusal(description("c"), kFeatures, "e"),
            "its class was to be column \"e\", and it has none of that name; the nearest is "
            "\"x\"");
  EXPECT_EQ(refusal(description(""), std::span(kFeatures).first(3)),
            "it names no class column; choose one");
}

TEST(OpenmlColumns, RefuseTextAndDatesEvenIfSetAside) {
  std::vector<OpenmlFeature> features = kFeatures;
  features.push_back({.name = "t", .kind = "string", .is_ignored = true});
  EXPECT_EQ(refusal(description("c"), features),
            "1 of its 6 columns hold text or dates, which are not read: \"t\"");
  for (int i = 0; i < 6; ++i) features.push_back({.name = "u", .kind = "date"});
  EXPECT_EQ(refusal(description("c"), features),
            "7 of its 12 columns hold text or dates, which are not read: \"t\", \"u\", \"u\", "
            "\"u\", \"u\", ...");
}

}  // namespace
}  // namespace handrail
