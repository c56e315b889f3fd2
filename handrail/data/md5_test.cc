#include "handrail/data/md5.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace handrail {
namespace {

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  // A few bytes at a time, so that a digest spans several reads.
  Result<std::size_t> read(std::span<char> block) override {
    const std::size_t size = text_.copy(block.data(), std::min<std::size_t>(block.size(), 7));
    text_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view text_;
};

std::string digest(std::string_view text) {
  TextSource source(text);
  return md5_of(source).value();
}

// The test suite of RFC 1321, appendix A.5.
TEST(Md5, GivesTheDigestsOfItsStandard) {
  EXPECT_EQ(digest(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(digest("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(digest("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(digest("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(digest("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
            "d174ab98d277d9f5a5611c2c9f419d9f");
  std::string digits;
  for (int i = 0; i < 8; ++i) digits += "1234567890";
  EXPECT_EQ(digest(digits), "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, PassesOnWhatTheSourceSays) {
  class BrokenSource final : public ByteSource {
    Result<std::size_t> read(std::span<char> /*block*/) override { return Error{"worn out"}; }
  };
  BrokenSource source;
  EXPECT_EQ(md5_of(source).error().message, "worn out");
}

}  // namespace
}  // namespace handrail
