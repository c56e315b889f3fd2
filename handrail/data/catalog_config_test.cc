#include "handrail/data/catalog_config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace handrail {
namespace {

constexpr std::array<const char*, 5> kVariables = {"HANDRAIL_DATA", "HANDRAIL_CACHE",
                                                   "HANDRAIL_OPENML", "XDG_CACHE_HOME", "HOME"};

// Each test gets an environment of its own, and leaves the one that it found.
class CatalogConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : kVariables) {
      if (const char* value = std::getenv(name)) found_[name] = value;
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (const char* name : kVariables) ::unsetenv(name);
    for (const auto& [name, value] : found_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  static void set(const char* name, const char* value) { ::setenv(name, value, 1); }

 private:
  std::map<std::string, std::string> found_;
};

TEST_F(CatalogConfigTest, NamesNothingInAnEmptyEnvironment) {
  const CatalogConfig config = catalog_config_from_environment();
  EXPECT_EQ(config.data_dir, "");
  EXPECT_EQ(config.cache_dir, "");
  EXPECT_EQ(config.openml_address, "https://www.openml.org");
  EXPECT_FALSE(config.offline);
}

TEST_F(CatalogConfigTest, TakesWhatIsSet) {
  set("HANDRAIL_DATA", "/mirror");
  set("HANDRAIL_OPENML", "http://localhost:8000");
  EXPECT_EQ(catalog_config_from_environment().data_dir, "/mirror");
  EXPECT_EQ(catalog_config_from_environment().openml_address, "http://localhost:8000");
}

TEST_F(CatalogConfigTest, LooksForACacheInThreePlaces) {
  set("HOME", "/people/ann");
  EXPECT_EQ(catalog_config_from_environment().cache_dir, "/people/ann/.cache/handrail");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(catalog_config_from_environment().cache_dir, "/people/ann/.cache/handrail");
  set("XDG_CACHE_HOME", "/caches");
  EXPECT_EQ(catalog_config_from_environment().cache_dir, "/caches/handrail");
  set("HANDRAIL_CACHE", "/own");
  EXPECT_EQ(catalog_config_from_environment().cache_dir, "/own");
  set("HANDRAIL_CACHE", "");
  EXPECT_EQ(catalog_config_from_environment().cache_dir, "/caches/handrail");
}

}  // namespace
}  // namespace handrail
