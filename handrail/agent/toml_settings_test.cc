#include "handrail/agent/toml_settings.h"

#include <gtest/gtest.h>

#include "handrail/base/bytes.h"

namespace handrail {
namespace {

std::string path_of(const std::string& text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string path = ::testing::TempDir() + test->name() + ".toml";
  EXPECT_TRUE(write_file(path, text).ok());
  return path;
}

std::vector<std::string> read_as_lines(const std::string& text) {
  const std::string path = path_of(text);
  const Result<std::vector<Setting>> settings = read_toml(path);
  EXPECT_TRUE(settings.ok()) << settings.error().message;
  std::vector<std::string> lines;
  for (const Setting& setting : settings.value()) {
    EXPECT_TRUE(setting.place.starts_with(path)) << setting.place;
    lines.push_back(setting.key + "=" + setting.value + setting.place.substr(path.size()));
  }
  return lines;
}

std::string refusal(const std::string& text) {
  const std::string path = path_of(text);
  const Result<std::vector<Setting>> settings = read_toml(path);
  EXPECT_FALSE(settings.ok());
  if (settings.ok()) return "";
  EXPECT_TRUE(settings.error().message.starts_with(path)) << settings.error().message;
  return settings.error().message.substr(path.size());
}

TEST(TomlSettings, TablesBecomeDottedKeysInTheOrderOfTheFile) {
  EXPECT_EQ(
      read_as_lines("seed = 1\nalpha = 0.5\n[world]\nname = \"armed\"\n\n[agent]\nwidth = 8\n"),
      (std::vector<std::string>{"seed=1:1:8", "alpha=0.5:2:9", "world.name=armed:4:8",
                                "agent.width=8:7:9"}));
}

TEST(TomlSettings, EveryPlainValueBecomesTheTextThatAFlagWouldHave) {
  EXPECT_EQ(read_as_lines("a = true\nb = false\nc = 1e-4\nd = inf\ne = -3\nf = 'x y'\n"),
            (std::vector<std::string>{"a=yes:1:5", "b=no:2:5", "c=1e-04:3:5", "d=inf:4:5",
                                      "e=-3:5:5", "f=x y:6:5"}));
}

TEST(TomlSettings, AListBecomesOneSettingAnElement) {
  EXPECT_EQ(read_as_lines("alpha = [0.1, 0.5]\nagent = [\n  'a',\n  'b'\n]\n"),
            (std::vector<std::string>{"alpha[]=0.1:1:10", "alpha[]=0.5:1:15", "agent[]=a:3:3",
                                      "agent[]=b:4:3"}));
}

TEST(TomlSettings, AnEmptyFileSaysNothing) {
  EXPECT_TRUE(read_as_lines("").empty());
  EXPECT_TRUE(read_as_lines("# a comment\n").empty());
}

TEST(TomlSettings, WhatIsNoPlainValueIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("x = 1\ny = [1, [2]]\n"),
            ":2:9: an element of y is neither text, number, true nor false");
  EXPECT_EQ(refusal("[agent]\nfloor = 2024-01-01\n"),
            ":2:9: agent.floor is neither text, number, true nor false");
}

TEST(TomlSettings, WhatIsNoTomlIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("seed = 1\nalpha = \n").substr(0, 3), ":2:");
  EXPECT_EQ(refusal("[agent\n").substr(0, 3), ":1:");
  EXPECT_EQ(refusal("a = 1\na = 2\n").substr(0, 3), ":2:");
  EXPECT_EQ(refusal("a = \xff\n").substr(0, 3), ":1:");
  EXPECT_EQ(read_toml(::testing::TempDir()).error().message.substr(0, ::testing::TempDir().size()),
            ::testing::TempDir());
}

}  // namespace
}  // namespace handrail
