#include "handrail/base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "handrail/base/random.h"

namespace handrail {
namespace {

TEST(Text, NumbersReadBackAsTheSameDouble) {
  RandomStream stream(1, Purpose::kTest, 1);
  for (int i = 0; i < 1000; ++i) {
    const auto number = std::bit_cast<double>(stream.bits64());
    if (std::isnan(number)) continue;
    EXPECT_EQ(to_number(to_text(number)), number);
  }
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Text, ReadsOnlyWholeNumbersOfText) {
  EXPECT_EQ(to_number("0.5"), 0.5);
  EXPECT_EQ(to_number("1e-6"), 1e-6);
  for (const char* text : {"", " 1", "1 ", "1x", "0x1p", "--1", "1e999"}) {
    EXPECT_FALSE(to_number(text).has_value()) << text;
  }
  EXPECT_EQ(to_count("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "-1", "1.5", "18446744073709551616"}) {
    EXPECT_FALSE(to_count(text).has_value()) << text;
  }
}

TEST(Text, SplitsAtEverySeparator) {
  EXPECT_EQ(split("a,b", ','), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
  EXPECT_EQ(split(",a,", ','), (std::vector<std::string_view>{"", "a", ""}));
}

TEST(Text, JoinsWhatItSplits) {
  EXPECT_EQ(join(split(",a,b,", ','), ","), ",a,b,");
  EXPECT_EQ(join(std::vector<std::string>{"one", "two"}, ", "), "one, two");
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(quoted("a b"), "\"a b\"");
}

TEST(Text, ShortensWhatIsLongBetweenCharacters) {
  const std::string longest(60, 'x');
  EXPECT_EQ(shortened(longest), longest);
  EXPECT_EQ(shortened(longest + "y"), longest + "...");
  EXPECT_EQ(shortened(std::string(59, 'x') + "\xC3\xA9"), std::string(59, 'x') + "...");
}

TEST(Text, MakesLettersSmallAndNothingElse) {
  EXPECT_EQ(lower_case("Fashion-MNIST_784@[`{"), "fashion-mnist_784@[`{");
}

TEST(Text, FindsTheNameThatWasMeant) {
  constexpr std::array<std::string_view, 4> kNames = {"margin_scale", "margin_rounds", "members",
                                                      "oracle"};
  EXPECT_EQ(nearest("margin_scal", kNames), "margin_scale");
  EXPECT_EQ(nearest("orcale", kNames), "oracle");
  EXPECT_EQ(nearest("member", kNames), "members");
}

}  // namespace
}  // namespace handrail
