#include "handrail/data/openml_answer.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

constexpr std::string_view kMd5 = "0123456789abcdef0123456789abcdef";

std::string description_with(const std::string& fields) {
  return R"({"data_set_description":{"id":"7","name":"n","version":"2","format":"ARFF",)"
         R"("file_id":"9","md5_checksum":")" +
         std::string(kMd5) + "\"" + fields + "}}";
}

TEST(OpenmlAnswer, ReadsADescription) {
  const OpenmlDescription description =
      parse_openml_description(
          description_with(R"(,"status":"active","default_target_attribute":"c",)"
                           R"("row_id_attribute":"id","ignore_attribute":["a","b"],)"
                           R"("url":"https://example.org/n.arff","tag":[1])"))
          .value();
  EXPECT_EQ(description.id, 7U);
  EXPECT_EQ(description.version, 2U);
  EXPECT_EQ(description.file_id, 9U);
  EXPECT_EQ(description.md5, kMd5);
  EXPECT_EQ(description.target, "c");
  EXPECT_EQ(description.ignored, (std::vector<std::string>{"a", "b", "id"}));
  EXPECT_EQ(description.url, "https://example.org/n.arff");
}

// Fields that OpenML leaves out, or fills with null or an empty list, or writes as other kinds.
TEST(OpenmlAnswer, ReadsADescriptionInItsOtherSpellings) {
  for (const char* fields :
       {"", R"(,"default_target_attribute":null,"ignore_attribute":null,"row_id_attribute":[])",
        R"(,"default_target_attribute":[],"ignore_attribute":[],"row_id_attribute":7)"}) {
    const auto description = parse_openml_description(description_with(fields));
    ASSERT_TRUE(description.ok()) << fields;
    EXPECT_EQ(description.value().target, "");
    EXPECT_TRUE(description.value().ignored.empty());
  }
  EXPECT_EQ(parse_openml_description(description_with(R"(,"default_target_attribute":["a","b"])"))
                .value()
                .target,
            "a,b");
  const std::string numbers =
      R"({"data_set_description":{"id":7,"name":"n","version":2,"format":"ARFF","file_id":9,)"
      R"("md5_checksum":"0123456789ABCDEF0123456789ABCDEF"}})";
  EXPECT_EQ(parse_openml_description(numbers).value().id, 7U);
  EXPECT_EQ(parse_openml_description(numbers).value().md5, kMd5);
}

TEST(OpenmlAnswer, SaysWhatIsMissing) {
  const auto refusal = [](const std::string& text) {
    return parse_openml_description(text).error().message;
  };
  EXPECT_EQ(refusal("{"), "the answer is not what OpenML gives: it has no data_set_description");
  EXPECT_EQ(refusal(R"({"data_set_description":{}})"),
            "the answer's id is not there or not a number that counts");
  EXPECT_EQ(refusal(R"({"data_set_description":{"id":-1}})"),
            "the answer's id is not there or not a number that counts");
  EXPECT_EQ(refusal(R"({"data_set_description":{"id":1,"name":2}})"),
            "the answer's name is not there or not a text");
}

TEST(OpenmlAnswer, ReadsFeatures) {
  const auto features =
      parse_openml_features(
          R"({"data_features":{"feature":[)"
          R"({"name":"a","data_type":"numeric","is_target":"false","is_row_identifier":"true"},)"
          R"({"name":"b","data_type":"nominal","is_target":true,"nominal_value":["x"]},)"
          R"({"name":"c","data_type":"date","is_ignore":"true"}]}})")
          .value();
  ASSERT_EQ(features.size(), 3U);
  EXPECT_TRUE(features[0].is_ignored);
  EXPECT_FALSE(features[0].is_target);
  EXPECT_TRUE(features[1].is_target);
  EXPECT_EQ(features[2].kind, "date");
  EXPECT_TRUE(features[2].is_ignored);
  const auto single =
      parse_openml_features(R"({"data_features":{"feature":{"name":"a","data_type":"numeric"}}})");
  EXPECT_EQ(single.value().size(), 1U);
  EXPECT_FALSE(parse_openml_features(R"({"data_features":{"feature":[]}})").ok());
  EXPECT_FALSE(parse_openml_features(R"({"data_features":{"feature":["a"]}})").ok());
}

TEST(OpenmlAnswer, ReadsVersions) {
  const auto versions =
      parse_openml_versions(R"({"data":{"dataset":[{"did":61,"name":"iris","version":1},)"
                            R"({"did":"969","name":"iris","version":"3"}]}})")
          .value();
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0].id, 61U);
  EXPECT_EQ(versions[1].version, 3U);
  EXPECT_FALSE(parse_openml_versions(R"({"data":{"dataset":[]}})").ok());
}

TEST(OpenmlAnswer, ReadsRefusals) {
  const auto refusal =
      parse_openml_refusal(R"({"error":{"code":"372","message":"No results"}})").value();
  EXPECT_EQ(refusal.code, 372U);
  EXPECT_EQ(refusal.message, "No results");
  for (const char* text : {"", "{}", "null", R"({"error":"no"})", R"({"error":{"code":"x"}})"}) {
    EXPECT_FALSE(parse_openml_refusal(text).has_value()) << text;
  }
}

TEST(OpenmlAnswer, SurvivesAnyDepth) {
  const std::string deep(1'000'000, '[');
  EXPECT_FALSE(parse_openml_description(deep).ok());
  EXPECT_FALSE(parse_openml_features(R"({"data_features":)" + deep).ok());
}

}  // namespace
}  // namespace handrail
