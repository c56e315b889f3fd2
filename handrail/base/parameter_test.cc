#include "handrail/base/parameter.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

constexpr std::array<std::string_view, 2> kWords = {"auto", "never"};
constexpr std::array<ParameterSpec, 4> kSpecs = {{
    {.name = "share", .meaning = "a share", .fallback = "0.5", .low = 0.0, .high = 1.0},
    {.name = "steps",
     .meaning = "a count",
     .fallback = "3",
     .low = 1.0,
     .high = 10.0,
     .whole = true},
    {.name = "when", .meaning = "words alone", .fallback = "never", .words = kWords},
    {.name = "scale",
     .meaning = "a number or a word",
     .fallback = "auto",
     .low = 0.0,
     .high = 9.0,
     .low_is_open = true,
     .words = kWords},
}};

TEST(Parameter, SaysWhatItExpects) {
  EXPECT_EQ(expected(kSpecs[0]), "a number in [0, 1]");
  EXPECT_EQ(expected(kSpecs[1]), "a whole number in [1, 10]");
  EXPECT_EQ(expected(kSpecs[2]), "one of auto, never");
  EXPECT_EQ(expected(kSpecs[3]), "auto, never or a number in (0, 9]");
}

TEST(Parameter, TakesWhatItExpectsAndNothingElse) {
  for (const char* good : {"0", "1", "0.25"}) EXPECT_TRUE(check_value(kSpecs[0], good).ok());
  for (const char* bad : {"-0.1", "1.1", "nan", "", "x", "auto"}) {
    EXPECT_FALSE(check_value(kSpecs[0], bad).ok()) << bad;
  }
  EXPECT_TRUE(check_value(kSpecs[1], "10").ok());
  for (const char* bad : {"0", "11", "2.5"}) EXPECT_FALSE(check_value(kSpecs[1], bad).ok()) << bad;
  EXPECT_FALSE(check_value(kSpecs[2], "0").ok());
  EXPECT_TRUE(check_value(kSpecs[3], "auto").ok());
  EXPECT_FALSE(check_value(kSpecs[3], "0").ok());
  EXPECT_EQ(check_value(kSpecs[0], "2").error().message,
            "parameter share is \"2\"; a number in [0, 1] was expected");
}

TEST(Parameter, ValuesFallBackWhereNothingWasGiven) {
  const ParameterTexts texts = {{"steps", "7"}, {"scale", "2.5"}};
  const ParameterValues values(kSpecs, texts);
  EXPECT_EQ(values.number("share"), 0.5);
  EXPECT_EQ(values.count("steps"), 7U);
  EXPECT_EQ(values.word("when"), 1U);
  EXPECT_EQ(values.optional_number("scale"), 2.5);
  EXPECT_EQ(values.text("scale"), "2.5");
  const ParameterTexts none;
  EXPECT_EQ(ParameterValues(kSpecs, none).optional_number("scale"), std::nullopt);
}

}  // namespace
}  // namespace handrail
