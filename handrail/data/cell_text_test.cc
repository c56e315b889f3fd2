#include "handrail/data/cell_text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "handrail/base/random.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

// The number a text begins with, and the text behind it.
std::pair<double, std::string> scanned(const std::string& text) {
  const char* end = text.data() + text.size();
  const NumberScan number = scan_number(text.data(), end);
  return {number.value, std::string(number.end, end)};
}

using Scanned = std::pair<double, std::string>;

TEST(CellText, ScansTheNumberThatATextBeginsWith) {
  EXPECT_EQ(scanned("0,1"), (Scanned{0.0, ",1"}));
  EXPECT_EQ(scanned("255"), (Scanned{255.0, ""}));
  EXPECT_EQ(scanned("-7 "), (Scanned{-7.0, " "}));
  EXPECT_EQ(scanned("+7.5x"), (Scanned{7.5, "x"}));
  EXPECT_EQ(scanned("1e3,"), (Scanned{1000.0, ","}));
  EXPECT_EQ(scanned("12.25E-1"), (Scanned{1.225, ""}));
  EXPECT_EQ(scanned(".5"), (Scanned{0.5, ""}));
  EXPECT_EQ(scanned("5."), (Scanned{5.0, ""}));
  EXPECT_EQ(scanned("999999999999999"), (Scanned{999999999999999.0, ""}));
  EXPECT_EQ(scanned("12345678901234567890"), (Scanned{12345678901234567890.0, ""}));
  EXPECT_EQ(scanned("100000000000000000000000000000000"), (Scanned{1e32, ""}));
}

TEST(CellText, ScansNothingWhereThereIsNoFiniteNumber) {
  for (const char* text : {"", "x", "nan", "inf", "-inf", "+inf", "infinity", "NaN", "+-1", "--1",
                           "+", "-", ".", "e5", "1e400", "-1e400", " 1", "?"}) {
    EXPECT_EQ(scanned(text).second, text);
  }
}

// Digits with a point somewhere or nowhere, a sign or none.
std::string random_decimal(RandomStream& stream) {
  std::string digits;
  for (std::uint64_t i = 1 + stream.below(20); i > 0; --i) {
    digits += static_cast<char>('0' + stream.below(10));
  }
  if (stream.below(3) > 0) digits.insert(stream.below(digits.size() + 1), ".");
  return (stream.below(3) == 0 ? "-" : "") + digits;
}

// The short way must give the same bits as the long one.
TEST(CellText, ScansRowsOfNumbersAsTheNumbersThatTheyAre) {
  RandomStream stream(1, Purpose::kTest, 1);
  for (int i = 0; i < 20'000; ++i) {
    const auto any = std::bit_cast<double>(stream.bits64());
    const std::vector<std::string> texts = {
        random_decimal(stream), std::to_string(stream.bits64() >> stream.below(64)),
        std::isfinite(any) ? to_text(any) : "0", random_decimal(stream)};
    std::array<double, 5> cells{};
    const std::string row = texts[0] + "," + texts[1] + ", " + texts[2] + "," + texts[3];
    const CellRun run = scan_numbers(row, ',', cells);
    ASSERT_EQ(run.count, texts.size()) << row;
    ASSERT_EQ(run.end, row.data() + row.size()) << row;
    for (std::size_t cell = 0; cell < texts.size(); ++cell) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(cells[cell]),
                std::bit_cast<std::uint64_t>(to_number(texts[cell]).value()))
          << texts[cell];
    }
  }
}

TEST(CellText, RowsOfNumbersStopBeforeAnythingElse) {
  const auto count_of = [](std::string_view row) {
    std::array<double, 3> cells{};
    return scan_numbers(row, ',', cells).count;
  };
  for (const char* row :
       {"",        ",1",   "x,1",   "?,1",  "1 ,2", "1x,2", "nan,1",   ".,1",    "-,1",  "\"1\",2",
        "1e400,2", "1e,2", "'1',2", " 1,2", "1;2",  "--1",  "1\xFF,2", "\x80,1", "1:,2", "1/,2"}) {
    EXPECT_EQ(count_of(row), 0u) << row;
    // Where eight bytes can be looked at together.
    EXPECT_EQ(count_of(std::string(row) + ",12345678"), 0u) << row;
  }
  for (const char* row : {"1", "1,", "1,,2", "1,x", "-1.5e3,?", "+1,inf", "1., ", "1,2 ,3"}) {
    EXPECT_EQ(count_of(row), 1u) << row;
  }
  EXPECT_EQ(count_of("1,2,3,4"), 3u);
}

TEST(CellText, TellsNumbersFromWords) {
  for (const char* text : {"0", "-1.5", "+1e5", "1e-320"}) {
    EXPECT_EQ(kind_of(text), TextKind::kNumber) << text;
  }
  for (const char* text : {"nan", "NaN", "-inf", "+INF", "infinity"}) {
    EXPECT_EQ(kind_of(text), TextKind::kNotFinite) << text;
  }
  for (const char* text : {"1e400", "-1e400", "1e-400"}) {
    EXPECT_EQ(kind_of(text), TextKind::kOutOfRange) << text;
  }
  for (const char* text : {"", "a", "1x", "0x10", "1 2", "nano", "+-1", "1,5", "12/3"}) {
    EXPECT_EQ(kind_of(text), TextKind::kWord) << text;
  }
}

TEST(CellText, SaysWhatWasExpectedInPlaceOfAText) {
  EXPECT_EQ(not_a_number(6, "x2bar", "abc").message,
            "column 7 'x2bar' is \"abc\"; a number was expected");
  EXPECT_EQ(not_a_number(0, "a", "nan").message,
            "column 1 'a' is \"nan\"; a finite number was expected");
  EXPECT_EQ(not_a_number(0, "a", "1e400").message,
            "column 1 'a' is \"1e400\"; a number within the range of a double was expected");
  EXPECT_EQ(not_a_number(0, "a", "").message, "column 1 'a' is empty; a number was expected");
}

TEST(CellText, ShowsTextSoThatItHarmsNoTerminal) {
  EXPECT_EQ(shown("plain"), "\"plain\"");
  EXPECT_EQ(shown("a\x1B[2Jb\n"), "\"a?[2Jb?\"");
  EXPECT_EQ(shown(std::string(1000, 'x')), "\"" + std::string(60, 'x') + "...\"");
  // 59 signs, then one of two bytes that does not fit.
  EXPECT_EQ(shown(std::string(59, 'x') + "\xC3\xA9" + "y"), "\"" + std::string(59, 'x') + "...\"");
  EXPECT_EQ(shown_column(2, "a b"), "column 3 'a b'");
}

}  // namespace
}  // namespace handrail
