#include "handrail/config/setting.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

Setting setting_of(const std::string& key, const std::string& value) {
  return {.key = key, .value = value, .place = "run.toml:3:9"};
}

TEST(Setting, AnErrorNamesThePlaceIfThereIsOne) {
  Setting setting = setting_of("alpha", "x");
  EXPECT_EQ(error_at(setting, "no").message, "run.toml:3:9: no");
  setting.place.clear();
  EXPECT_EQ(error_at(setting, "no").message, "no");
}

TEST(Setting, AnUnknownKeyIsAnsweredWithTheNearest) {
  constexpr std::array<std::string_view, 3> kKnown = {"alpha", "delta", "rounds"};
  EXPECT_EQ(unknown_key(setting_of("round", "1"), kKnown).message,
            "run.toml:3:9: unknown key \"round\"; did you mean \"rounds\"?");
}

TEST(Setting, AnElementOfAListIsNoSingleValue) {
  EXPECT_TRUE(expect_single(setting_of("seed", "1")).ok());
  EXPECT_EQ(expect_single(setting_of("seed[]", "1")).error().message,
            "run.toml:3:9: seed is a list; one value was expected");
}

}  // namespace
}  // namespace handrail
