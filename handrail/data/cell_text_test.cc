#include "handrail/data/cell_text.h"

#include <gtest/gtest.h>

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

TEST(CellText, ScansEveryDoubleAndCountAsItself) {
  RandomStream stream(1, Purpose::kTest, 1);
  for (int i = 0; i < 10'000; ++i) {
    const auto number = std::bit_cast<double>(stream.bits64());
    if (std::isfinite(number)) {
      EXPECT_EQ(scanned(to_text(number) + ","), (Scanned{number, ","}));
    }
    const std::uint64_t count = stream.bits64() >> stream.below(64);
    EXPECT_EQ(scanned(std::to_string(count)), (Scanned{static_cast<double>(count), ""}));
  }
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
