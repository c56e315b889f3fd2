#include "handrail/data/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "../../tests/packing.h"
#include "../../tests/table_fixture.h"
#include "handrail/base/random.h"

namespace handrail {
namespace {

// Everything a source gives, read in blocks of this size; an error in its place.
std::string bytes_of(const std::string& path, std::size_t block_size = 1000) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source.ok()) return source.error().message;
  std::string all;
  std::vector<char> block(block_size);
  for (;;) {
    const Result<std::size_t> count = source.value()->read(block);
    if (!count.ok()) return count.error().message;
    if (count.value() == 0) return all;
    all.append(block.data(), count.value());
  }
}

std::string random_text(std::size_t size) {
  RandomStream stream(1, Purpose::kTest, 1);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>('a' + stream.below(20));
  return text;
}

// Only what comes behind the path and ": ".
std::string complaint_about(const std::string& path) {
  const std::string message = bytes_of(path);
  EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ");
  return message.substr(std::min(message.size(), path.size() + 2));
}

TEST(ByteSource, GivesTheSameBytesPlainAndPacked) {
  const std::string text = random_text(300'000);
  const std::string plain = file_of("plain", text);
  const std::string gzip = file_of("gzip", packed_by_gzip(text));
  const std::string zstd = file_of("zstd", packed_by_zstd(text));
  for (const std::size_t block_size : {1u, 7u, 4096u, 1'000'000u}) {
    EXPECT_TRUE(bytes_of(plain, block_size) == text) << block_size;
    EXPECT_TRUE(bytes_of(gzip, block_size) == text) << block_size;
    EXPECT_TRUE(bytes_of(zstd, block_size) == text) << block_size;
  }
}

TEST(ByteSource, ReadsSeveralMembersAsOne) {
  const std::string text = random_text(100'000);
  EXPECT_TRUE(bytes_of(file_of("gzip", packed_by_gzip(text) + packed_by_gzip("") +
                                           packed_by_gzip("end"))) == text + "end");
  EXPECT_TRUE(bytes_of(file_of("zstd", packed_by_zstd(text) + packed_by_zstd("") +
                                           packed_by_zstd("end"))) == text + "end");
}

// Text that repeats itself unpacks to far more than was read, so blocks fill up in between.
TEST(ByteSource, UnpacksMoreThanABlockFromOneRead) {
  const std::string text(3'000'000, 'x');
  EXPECT_TRUE(bytes_of(file_of("gzip", packed_by_gzip(text))) == text);
  EXPECT_TRUE(bytes_of(file_of("zstd", packed_by_zstd(text))) == text);
  // Here nothing is left to read while the library still holds bytes back.
  EXPECT_TRUE(bytes_of(file_of("zstd", packed_by_zstd(text, Checksum::kAbsent))) == text);
}

TEST(ByteSource, EveryCutIsFound) {
  for (const std::string& packed :
       {packed_by_gzip(random_text(300)), packed_by_zstd(random_text(300))}) {
    // Fewer bytes do not show how they are packed.
    for (std::size_t size = 4; size < packed.size(); ++size) {
      EXPECT_TRUE(complaint_about(file_of("cut", packed.substr(0, size))).ends_with("was it cut?"))
          << size;
    }
  }
}

// Some bits carry no meaning, such as those between the last block and the checksum.
TEST(ByteSource, AFlippedByteNeverGivesOtherBytes) {
  const std::string text = random_text(300);
  constexpr std::size_t kMagicSize = 4;
  for (const std::string& packed : {packed_by_gzip(text), packed_by_zstd(text)}) {
    for (std::size_t place = kMagicSize; place < packed.size(); ++place) {
      std::string flipped = packed;
      flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
      const std::string bytes = bytes_of(file_of("flipped", flipped));
      EXPECT_TRUE(bytes == text || bytes.find("flipped: ") != std::string::npos) << place;
    }
  }
}

TEST(ByteSource, NamesWhatIsWrongWithPackedBytes) {
  std::string gzip = packed_by_gzip("hello, hello, hello");
  EXPECT_EQ(complaint_about(file_of("behind", gzip + "garbage")),
            "has other bytes behind the end of its gzip bytes");
  gzip[gzip.size() - 8] = static_cast<char>(gzip[gzip.size() - 8] + 1);
  EXPECT_EQ(complaint_about(file_of("checksum", gzip)),
            "its gzip bytes are damaged: incorrect data check");
  std::string zstd = packed_by_zstd("hello, hello, hello");
  EXPECT_EQ(complaint_about(file_of("behind", zstd + "garbage")),
            "has other bytes behind the end of its zstd bytes");
  zstd.back() = static_cast<char>(zstd.back() + 1);
  EXPECT_EQ(complaint_about(file_of("checksum", zstd)),
            "its zstd bytes are damaged: Restored data doesn't match checksum");
}

TEST(ByteSource, NothingIsRefused) {
  EXPECT_EQ(complaint_about(file_of("empty", "")), "is empty");
  EXPECT_EQ(complaint_about(file_of("gzip", packed_by_gzip(""))),
            "holds nothing when it is unpacked");
  EXPECT_EQ(complaint_about(file_of("zstd", packed_by_zstd(""))),
            "holds nothing when it is unpacked");
}

TEST(ByteSource, NamesPackersThatItDoesNotKnow) {
  const std::string known = "; plain, gzip and zstd files are read";
  EXPECT_EQ(complaint_about(file_of("a", "PK\x03\x04...")), "is a zip archive" + known);
  EXPECT_EQ(complaint_about(file_of("b", "BZh91AY")), "is packed by bzip2" + known);
  EXPECT_EQ(complaint_about(file_of("c", "\xFD\x37zXZ....")), "is packed by xz" + known);
  EXPECT_EQ(complaint_about(file_of("d", "7z\xBC\xAF\x27\x1C..")), "is a 7z archive" + known);
  EXPECT_EQ(complaint_about(file_of("e", "\xFF\xFE....")), "is text in UTF-16; save it as UTF-8");
}

TEST(ByteSource, NamesWhatCannotBeOpenedOrRead) {
  EXPECT_EQ(complaint_about(temporary_path("absent")), "cannot open: No such file or directory");
  EXPECT_EQ(complaint_about(::testing::TempDir()), "cannot read: Is a directory");
  // The first page of a process is never there.
  EXPECT_EQ(complaint_about("/proc/self/mem"), "cannot read: Input/output error");
}

TEST(ByteSource, SaysThatAFileMayNotBeRead) {
  const std::string path = file_of("secret", "a,b\n");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  constexpr uid_t kNobody = 65534;
  // Root may read everything, so the test has to become somebody else for a moment.
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(kNobody) == 0);
  const std::string complaint = complaint_about(path);
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  EXPECT_EQ(complaint, "cannot open: Permission denied");
  ::unlink(path.c_str());
}

TEST(ByteSource, ReadsStdinAndLeavesItOpen) {
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(file_of("in", packed_by_gzip("hello")).c_str(), "rb", stdin), nullptr);
  EXPECT_EQ(bytes_of("-"), "hello");
  EXPECT_EQ(bytes_of("-"), "stdin: is empty");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

}  // namespace
}  // namespace handrail
