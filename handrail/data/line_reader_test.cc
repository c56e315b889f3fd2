#include "handrail/data/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "handrail/base/random.h"

namespace handrail {
namespace {

// Gives its text in pieces of random size, then fails if it was told to.
class PiecewiseSource final : public ByteSource {
 public:
  PiecewiseSource(std::string text, std::size_t largest, std::string failure = "")
      : text_(std::move(text)), largest_(largest), failure_(std::move(failure)) {}

  Result<std::size_t> read(std::span<char> block) override {
    if (text_.empty() && !failure_.empty()) return Error{failure_};
    const std::size_t size = 1 + stream_.below(largest_);
    const std::size_t count = std::min({size, block.size(), text_.size()});
    text_.copy(block.data(), count);
    text_.erase(0, count);
    return count;
  }

 private:
  std::string text_;
  std::size_t largest_;
  std::string failure_;
  RandomStream stream_{1, Purpose::kTest, 1};
};

LineReader reader_of(std::string text, std::size_t largest = 3, std::string failure = "") {
  return {std::make_unique<PiecewiseSource>(std::move(text), largest, std::move(failure)), "file"};
}

std::vector<std::string> lines_of(LineReader reader) {
  std::vector<std::string> lines;
  while (reader.next().value()) lines.emplace_back(reader.line());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, GivesEveryLineWithoutItsEnd) {
  EXPECT_EQ(lines_of(reader_of("a\nbc\r\n\nd\n")), (Lines{"a", "bc", "", "d"}));
  EXPECT_EQ(lines_of(reader_of("a\nb")), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(reader_of("\n\n")), (Lines{"", ""}));
  EXPECT_EQ(lines_of(reader_of("")), Lines{});
  EXPECT_EQ(lines_of(reader_of("\r\na\rb")), (Lines{"", "a\rb"}));
}

TEST(LineReader, SkipsAMarkOfByteOrderOnce) {
  EXPECT_EQ(lines_of(reader_of("\xEF\xBB\xBFx\n\xEF\xBB\xBFy")), (Lines{"x", "\xEF\xBB\xBFy"}));
}

TEST(LineReader, LinesMayBeLongerThanABlock) {
  Lines lines;
  std::string text;
  for (std::size_t size = 1; size < 2'000'000; size *= 3) {
    lines.emplace_back(size, 'x');
    text += lines.back() + "\n";
  }
  EXPECT_TRUE(lines_of(reader_of(text, 300'000)) == lines);
}

TEST(LineReader, JoinsLinesAndGoesOnCounting) {
  LineReader reader = reader_of("a\nb\r\nc\nd\n");
  ASSERT_TRUE(reader.next().value());
  ASSERT_TRUE(reader.extend().value());
  ASSERT_TRUE(reader.extend().value());
  EXPECT_EQ(reader.line(), "a\nb\r\nc");
  EXPECT_EQ(reader.line_number(), 1u);
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.line(), "d");
  EXPECT_EQ(reader.line_number(), 4u);
  EXPECT_FALSE(reader.extend().value());
  EXPECT_FALSE(reader.next().value());
}

TEST(LineReader, HandsOnWhatItsSourceSays) {
  LineReader reader = reader_of("a\nb", 10, "file: broken");
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.next().error().message, "file: broken");
}

TEST(LineReader, RefusesALineWithoutEnd) {
  LineReader reader = reader_of("a\n" + std::string(kLongestLine + 2, 'x'), kLongestLine);
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.next().error().message,
            "file:2: a line, or a cell in quotes, of more than 16777216 bytes");
}

TEST(LineReader, NamesTheLineInErrors) {
  LineReader reader = reader_of("a\n");
  EXPECT_EQ(reader.error("wrong").message, "file: wrong");
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.error("wrong").message, "file:1: wrong");
}

}  // namespace
}  // namespace handrail
