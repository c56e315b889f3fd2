// Without the network: what the cache alone can answer. tests/openml_test.py has the rest.
#include "handrail/data/openml.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "handrail/data/openml_cache.h"
#include "tests/packing.h"
#include "tests/table_fixture.h"

namespace handrail {
namespace {

constexpr std::string_view kRows =
    "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n";
constexpr std::string_view kMd5OfRows = "66357edf0d3007b7167f265d623d4d7d";
constexpr std::string_view kFeatures =
    R"({"data_features":{"feature":[{"name":"x","data_type":"numeric"},)"
    R"({"name":"c","data_type":"nominal"}]}})";

class OpenmlOffline : public ::testing::Test {
 protected:
  void SetUp() override {
    config_.cache_dir = temporary_path("cache");
    config_.offline = true;
    std::filesystem::remove_all(config_.cache_dir);
  }
  void TearDown() override { std::filesystem::remove_all(config_.cache_dir); }

  OpenmlCache cache() const { return OpenmlCache(config_.cache_dir); }
  void keep(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(keep_file(path, bytes).ok());
  }
  void keep_description(std::uint64_t id, const std::string& name, std::uint64_t version) {
    keep(cache().description_path(id),
         R"({"data_set_description":{"id":)" + std::to_string(id) + R"(,"name":")" + name +
             R"(","version":)" + std::to_string(version) +
             R"(,"format":"ARFF","file_id":1,"default_target_attribute":"c","md5_checksum":")" +
             std::string(kMd5OfRows) + "\"}}");
  }
  void keep_set(std::uint64_t id, const std::string& name, std::uint64_t version) {
    keep_description(id, name, version);
    keep(cache().features_path(id), kFeatures);
    keep(cache().rows_path(id), kRows);
  }
  std::string refusal(std::string_view name) const {
    const Result<OpenmlSet> set = find_openml(name, config_);
    return set.ok() ? "no refusal" : set.error().message;
  }

  CatalogConfig config_;
};

TEST_F(OpenmlOffline, FindsWhatTheCacheHolds) {
  keep_set(7, "Nettle", 2);
  for (const char* name : {"7", "nettle@2", "NETTLE@2"}) {
    const Result<OpenmlSet> set = find_openml(name, config_);
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(set.value().id, 7U);
    EXPECT_EQ(set.value().name, "Nettle");
    EXPECT_EQ(set.value().version, 2U);
    EXPECT_EQ(set.value().path, cache().rows_path(7));
    EXPECT_EQ(set.value().class_column, "c");
  }
  EXPECT_EQ(cache().sets().size(), 1U);
}

TEST_F(OpenmlOffline, NeedsEveryPartOfASet) {
  const std::string refused = "openml:7: offline, and " + config_.cache_dir +
                              "/openml does not hold all of it; fetch it once with the network";
  EXPECT_EQ(refusal("7"), refused);
  keep_description(7, "nettle", 1);
  EXPECT_EQ(refusal("7"), refused);
  keep(cache().features_path(7), kFeatures);
  EXPECT_EQ(refusal("7"), refused);
  EXPECT_TRUE(cache().sets().empty());
  keep(cache().rows_path(7), kRows);
  EXPECT_EQ(refusal("7"), "no refusal");
}

TEST_F(OpenmlOffline, DoesNotGuessVersions) {
  keep_set(7, "nettle", 2);
  keep_set(8, "nettle", 3);
  const std::string message = refusal("nettle");
  EXPECT_NE(message.find("it holds openml:nettle@2 openml:nettle@3"), std::string::npos) << message;
  EXPECT_NE(refusal("nettle@1").find("does not hold"), std::string::npos);
}

TEST_F(OpenmlOffline, RemembersWhatANameMeant) {
  keep_set(7, "nettle", 2);
  keep(cache().name_path("nettle"), R"({"data":{"dataset":[{"did":9,"name":"nettle","version":4},)"
                                    R"({"did":7,"name":"nettle","version":2}]}})");
  const Result<OpenmlSet> set = find_openml("Nettle", config_);
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set.value().id, 7U);
  EXPECT_TRUE(set.value().has_other_versions);
}

TEST_F(OpenmlOffline, NoticesDamage) {
  keep_set(7, "nettle", 2);
  keep(cache().rows_path(7), "@relation r\n");
  EXPECT_EQ(refusal("7"), "openml:7: " + cache().rows_path(7) +
                              ": damaged: the MD5 of the file is "
                              "0b019e4c6a3c4f6e70e7c8c98b58de03, and OpenML says " +
                              std::string(kMd5OfRows));
}

TEST_F(OpenmlOffline, TakesPackedRows) {
  keep_set(7, "nettle", 2);
  keep(cache().rows_path(7), packed_by_gzip(kRows));
  EXPECT_EQ(refusal("7"), "no refusal");
}

// Names become parts of paths, and must not leave their folder.
TEST_F(OpenmlOffline, NamesStayInTheCache) {
  EXPECT_EQ(cache().name_path("../../x"), cache().folder() + "/names/..%2F..%2Fx.json");
  EXPECT_EQ(cache().name_path("a b@1"), cache().folder() + "/names/a%20b%401.json");
}

TEST_F(OpenmlOffline, RefusesSettingsThatCannotWork) {
  config_.openml_address = "openml.org";
  EXPECT_NE(refusal("7").find("\"openml.org\""), std::string::npos);
  config_ = {};
  EXPECT_NE(refusal("7").find("no cache folder"), std::string::npos);
}

}  // namespace
}  // namespace handrail
