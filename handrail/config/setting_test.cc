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

TEST(Setting, ReadsNumbersAndSaysWhatItExpected) {
  double number = 0.0;
  EXPECT_TRUE(read_number(setting_of("alpha", "0.5"), number).ok());
  EXPECT_EQ(number, 0.5);
  EXPECT_EQ(read_number(setting_of("alpha", "half"), number).error().message,
            "run.toml:3:9: alpha is \"half\"; a number was expected");
  EXPECT_EQ(number, 0.5);
}

TEST(Setting, ReadsCountsFromTheLeastOn) {
  std::uint64_t count = 0;
  EXPECT_TRUE(read_count(setting_of("runs", "2"), 2, count).ok());
  EXPECT_EQ(count, 2U);
  for (const char* const refused : {"1", "-3", "2.5", ""}) {
    EXPECT_EQ(read_count(setting_of("runs", refused), 2, count).error().message,
              "run.toml:3:9: runs is \"" + std::string(refused) +
                  "\"; a whole number from 2 on was expected");
  }
  EXPECT_EQ(count, 2U);
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
