#include "handrail/base/bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>
#include <thread>

namespace handrail {
namespace {

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + name;
}

TEST(Bytes, ReadsBackWhatWasWritten) {
  ByteWriter out;
  out.u8(200);
  out.u32(0xfedcba98);
  out.u64(0x0123456789abcdef);
  out.f64(-0.1);
  out.f64(std::numeric_limits<double>::quiet_NaN());
  out.doubles(std::vector<double>{1.0, 2.0});
  out.doubles(std::vector<double>{3.0});
  out.text("ridge");

  ByteReader in(out.bytes());
  EXPECT_EQ(in.u8(), 200);
  EXPECT_EQ(in.u32(), 0xfedcba98);
  EXPECT_EQ(in.u64(), 0x0123456789abcdefu);
  EXPECT_EQ(in.f64(), -0.1);
  EXPECT_TRUE(std::isnan(in.f64()));
  std::vector<double> two(2);
  in.doubles(two);
  EXPECT_EQ(two, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(in.doubles(), std::vector<double>{3.0});
  EXPECT_EQ(in.text(), "ridge");
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(in.status().ok());
}

TEST(Bytes, AreLittleEndian) {
  ByteWriter out;
  out.u32(0x01020304);
  EXPECT_EQ(out.bytes(), std::string_view("\4\3\2\1"));
}

TEST(Bytes, FailForGoodPastTheEnd) {
  ByteReader in(std::string_view("abc"));
  EXPECT_EQ(in.u8(), 'a');
  EXPECT_EQ(in.u32(), 0u);
  EXPECT_EQ(in.u8(), 0u);  // there is another byte, but the reader has lost its place
  ASSERT_FALSE(in.status().ok());
  EXPECT_EQ(in.status().error().message, "byte 1: ends in the middle of a field");
}

TEST(Bytes, RefuseLengthsThatCannotBe) {
  ByteWriter out;
  out.u64(std::numeric_limits<std::uint64_t>::max());
  ByteReader numbers(out.bytes());
  EXPECT_TRUE(numbers.doubles().empty());
  EXPECT_FALSE(numbers.status().ok());
  ByteReader text(out.bytes());
  EXPECT_TRUE(text.text().empty());
  EXPECT_FALSE(text.status().ok());
  ByteReader exact(out.bytes());
  std::vector<double> two(2);
  exact.doubles(two);
  EXPECT_FALSE(exact.status().ok());
}

// "123456789" is the check input of the CRC catalogues.
TEST(Bytes, ChecksumIsCrc32) {
  EXPECT_EQ(checksum("123456789"), 0xcbf43926u);
}

TEST(Seal, GivesThePayloadBack) {
  const std::string payload("any\0bytes", 9);
  const Result<std::string> opened = unseal(seal(payload), "x.save");
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened.value(), payload);
}

TEST(Seal, NoticesEveryFlippedByteAndEveryCut) {
  const std::string sealed = seal("some payload");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    for (int mask = 1; mask < 256; ++mask) {
      std::string flipped = sealed;
      flipped[i] = static_cast<char>(flipped[i] ^ mask);
      ASSERT_FALSE(unseal(flipped, "x").ok()) << "byte " << i << " mask " << mask;
    }
    ASSERT_FALSE(unseal(sealed.substr(0, i), "x").ok()) << "cut at " << i;
  }
}

TEST(Seal, SaysWhatIsWrong) {
  EXPECT_EQ(unseal("PK\3\4", "x.save").error().message,
            "x.save: not a Handrail save file: it does not begin with \"HANDRAIL\"");
  EXPECT_EQ(unseal("HANDRAIL", "x.save").error().message,
            "x.save: cut short: 8 bytes, and the envelope alone takes 24");
}

TEST(Files, AreWholeOrAbsent) {
  const std::string path = temporary("handrail_whole");
  ASSERT_TRUE(write_file(path, "first").ok());
  ASSERT_TRUE(write_file(path, "second").ok());
  EXPECT_EQ(read_file(path).value(), "second");
  struct stat beside;
  EXPECT_NE(::stat((path + ".partial").c_str(), &beside), 0);
}

// The writers differ in length too: a file that two have written into is neither the one nor the
// other.
TEST(Files, OfTwoWritersAreWholeAtEveryMoment) {
  constexpr int kWrites = 40;
  const std::string path = temporary("handrail_shared");
  const std::string small(100'000, 's');
  const std::string large(300'000, 'l');
  const auto write_often = [&path](const std::string& bytes, int& failures) {
    for (int i = 0; i < kWrites; ++i) failures += write_file(path, bytes).ok() ? 0 : 1;
  };
  int small_failures = 0;
  int large_failures = 0;
  ASSERT_TRUE(write_file(path, small).ok());
  std::thread one(write_often, std::cref(small), std::ref(small_failures));
  std::thread other(write_often, std::cref(large), std::ref(large_failures));
  int mixtures = 0;
  for (int i = 0; i < 10 * kWrites; ++i) {
    const std::string read = read_file(path).value();
    mixtures += read == small || read == large ? 0 : 1;
  }
  one.join();
  other.join();
  EXPECT_EQ(mixtures, 0);
  EXPECT_EQ(small_failures, 0);
  EXPECT_EQ(large_failures, 0);
  struct stat beside;
  EXPECT_NE(::stat((path + ".partial").c_str(), &beside), 0);
}

TEST(Files, SayWhatTheSystemSaid) {
  const Status written = write_file("/nonexistent/place", "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message,
            "/nonexistent/place.partial: cannot create: No such file or directory");
  const Result<std::string> read = read_file(::testing::TempDir());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("Is a directory"), std::string::npos);
  EXPECT_FALSE(read_file("/nonexistent/place").ok());
}

TEST(Files, RefuseToReplaceADirectory) {
  const std::string path = temporary("handrail_directory");
  ::mkdir(path.c_str(), 0755);
  EXPECT_FALSE(write_file(path, "x").ok());
  struct stat beside;
  EXPECT_NE(::stat((path + ".partial").c_str(), &beside), 0);
}

}  // namespace
}  // namespace handrail
