#include "handrail/config/parameter.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

constexpr std::array<std::string_view, 2> kWords = {"auto", "never"};

TEST(Parameter, SaysWhatItExpects) {
  EXPECT_EQ(expected(number_row("share", "", "0", {.low = 0.0, .high = 1.0})),
            "a number in [0, 1]");
  EXPECT_EQ(expected(count_row("steps", "", "1", {.low = 1.0, .high = 10.0})),
            "a whole number in [1, 10]");
  EXPECT_EQ(expected(word_row("when", "", "auto", kWords)), "one of auto, never");
  EXPECT_EQ(expected(or_words(positive_row("scale", "", "auto", 9.0), kWords)),
            "auto, never or a number in (0, 9]");
}

TEST(Parameter, MoreWordsStandBehindTheRowsOwn) {
  ParameterSpec row = word_row("when", "", "auto", kWords);
  row.more_words = [] { return std::vector<std::string_view>{"noon", "dusk"}; };
  EXPECT_EQ(words_of(row), (std::vector<std::string_view>{"auto", "never", "noon", "dusk"}));
  EXPECT_EQ(expected(row), "one of auto, never, noon, dusk");
}

}  // namespace
}  // namespace handrail
