#include "handrail/config/parameter_values.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

constexpr std::array<std::string_view, 2> kWords = {"auto", "never"};
constexpr std::array<std::string_view, 1> kNever = {"never"};

Status even_length(std::string_view text) {
  if (text.size() % 2 == 0) return {};
  return Error{"pairs is odd"};
}

constexpr std::array<ParameterSpec, 6> kRows = {{
    number_row("share", "a share", "0.5", {.low = 0.0, .high = 1.0}),
    count_row("steps", "a count", "3", {.low = 1.0, .high = 10.0}),
    word_row("when", "words alone", "never", kWords),
    or_words(positive_row("scale", "a number or a word", "auto", 9.0), kWords),
    {.name = "layers", .meaning = "", .fallback = "4x2", .low = 1.0, .high = 8.0, .list = true},
    {.name = "pairs", .meaning = "", .fallback = "", .check = even_length, .form = "pairs"},
}};

std::string error_of(std::string_view name, std::string_view text) {
  ParameterValues values(kRows);
  const Status set = values.set(name, text);
  return set.ok() ? "" : set.error().message;
}

TEST(ParameterValues, FallBackWhereNothingWasGiven) {
  ParameterValues values(kRows);
  EXPECT_EQ(values.number("share"), 0.5);
  EXPECT_EQ(values.count("steps"), 3U);
  EXPECT_EQ(values.word("when"), 1U);
  EXPECT_EQ(values.optional_number("scale"), std::nullopt);
  EXPECT_EQ(values.counts("layers"), (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(values.text("pairs"), "");
}

TEST(ParameterValues, AreTypedOnceTheyAreSet) {
  ParameterValues values(kRows);
  ASSERT_TRUE(values.set("share", "2.5e-1").ok());
  ASSERT_TRUE(values.set("steps", "10").ok());
  ASSERT_TRUE(values.set("when", "auto").ok());
  ASSERT_TRUE(values.set("scale", "2.50").ok());
  ASSERT_TRUE(values.set("layers", "8").ok());
  ASSERT_TRUE(values.set("pairs", "abcd").ok());
  EXPECT_EQ(values.number("share"), 0.25);
  EXPECT_EQ(values.count(kRows[1]), 10U);
  EXPECT_EQ(values.word("when"), 0U);
  EXPECT_EQ(values.optional_number(kRows[3]), 2.5);
  EXPECT_EQ(values.text("scale"), "2.50");
  EXPECT_EQ(values.counts("layers"), (std::vector<std::size_t>{8}));
  EXPECT_EQ(values.text("pairs"), "abcd");
}

TEST(ParameterValues, RefuseWhatTheRowDoesNotTakeAndKeepTheirValue) {
  for (const char* bad : {"-0.1", "1.1", "nan", "", "x", "auto"}) {
    EXPECT_EQ(error_of("share", bad),
              "share is \"" + std::string(bad) + "\"; a number in [0, 1] was expected");
  }
  for (const char* bad : {"0", "11", "2.5", "-1"}) EXPECT_NE(error_of("steps", bad), "") << bad;
  EXPECT_NE(error_of("when", "0"), "");
  EXPECT_NE(error_of("scale", "0"), "");
  for (const char* bad : {"", "x", "4x", "9x1", "4,2"})
    EXPECT_NE(error_of("layers", bad), "") << bad;
  EXPECT_EQ(error_of("pairs", "a"), "pairs is odd");
  ParameterValues values(kRows);
  EXPECT_FALSE(values.set("share", "2").ok());
  EXPECT_EQ(values.number("share"), 0.5);
}

TEST(ParameterValues, ArePrintedInOneSpelling) {
  const auto printed = [](std::size_t row, std::string_view text) {
    return print_value(kRows[row], parse_value(kRows[row], text).value());
  };
  EXPECT_EQ(printed(0, "1e-1"), "0.1");
  EXPECT_EQ(printed(1, "07"), "7");
  EXPECT_EQ(printed(2, "auto"), "auto");
  EXPECT_EQ(printed(3, "never"), "never");
  EXPECT_EQ(printed(4, "04x2"), "4x2");
  EXPECT_EQ(printed(5, "ab"), "ab");
}

// A text that a check takes may have several spellings, too.
TEST(ParameterValues, ACheckedTextIsPrintedInTheSpellingOfItsRow) {
  ParameterSpec row = kRows[5];
  row.spelling = [](std::string_view text) { return std::string(text.substr(0, 2)); };
  EXPECT_EQ(print_value(row, parse_value(row, "abcd").value()), "ab");
  ParameterValues values(std::span(&row, 1));
  ASSERT_TRUE(values.set("pairs", "abcd").ok());
  EXPECT_EQ(values.printed("pairs"), "ab");
}

TEST(ParameterValues, TakeTheWordsThatARegistryHas) {
  ParameterSpec row = kRows[2];
  row.more_words = [] { return std::vector<std::string_view>{"noon"}; };
  EXPECT_EQ(parse_value(row, "noon").value().word, 2U);
  EXPECT_EQ(parse_value(row, "dusk").error().message,
            "when is \"dusk\"; one of auto, never, noon was expected");
}

TEST(ParameterValues, MayComeFromRowsThatStandApart) {
  const std::array<const ParameterSpec*, 2> rows = {&kRows[1], &kRows[0]};
  ParameterValues values(rows);
  values.settle(kRows[1], "7");
  EXPECT_EQ(values.names(), (std::vector<std::string_view>{"steps", "share"}));
  EXPECT_EQ(values.count("steps"), 7U);
  EXPECT_DEATH(values.settle(kRows[1], "70"), "broken promise");
}

TEST(ParameterValues, TakeASharedRowOnce) {
  ParameterValues values(kRows);
  ASSERT_TRUE(values.set("share", "0.75").ok());
  values.add(kRows[0]);
  EXPECT_EQ(values.size(), kRows.size());
  EXPECT_EQ(values.number("share"), 0.75);
}

TEST(ParameterValues, AnOpenEndIsOutsideTheRange) {
  ParameterSpec row = positive_row("delta", "", "0.5", 1.0);
  row.high_is_open = true;
  EXPECT_EQ(expected(row), "a number in (0, 1)");
  EXPECT_FALSE(is_in_range(row, 0.0));
  EXPECT_FALSE(is_in_range(row, 1.0));
  EXPECT_TRUE(is_in_range(row, 0.999));
  EXPECT_EQ(check_number(row, 1.0).error().message, "delta is 1; a number in (0, 1) was expected");
}

}  // namespace
}  // namespace handrail
