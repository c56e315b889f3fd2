#include "handrail/eval/journal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "handrail/base/bytes.h"
#include "tests/temporary_path.h"

namespace handrail {
namespace {

const std::string kIdentity = "handrail 0.1.0\n";
constexpr RunKey kKey = {
    .cell = {.environment = 1, .agent = 2, .alpha = 3}, .candidate = 4, .tuning = true, .run = 5};

PlayedRun sample() {
  PlayedRun run;
  double next = 1.5;
  for (const std::size_t metric : kJournalMetrics) run.values[metric] = next++;
  run.values[metric_index("first_violation")] = 9.0;
  run.values[metric_index("hindsight_violating")] = 1.0;
  run.curve = {{1.0, 2.0, 3.0, 4.0, 5.0}, {6.0, 7.0, 8.0, 9.0, 10.0}};
  return run;
}

class JournalFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }

  std::string bytes() const { return read_file(folder_ + "/journal.bin").value(); }

  const std::string folder_ = temporary_path("journal");
};

TEST_F(JournalFile, KeepsWhatARunFound) {
  PlayedRun run = sample();
  run.values[metric_index("min_slack")] = std::nullopt;
  {
    Journal journal = std::move(Journal::open(folder_, kIdentity)).value();
    ASSERT_TRUE(journal.add(kKey, run).ok());
  }
  const Journal journal = std::move(Journal::open(folder_, kIdentity)).value();
  ASSERT_TRUE(journal.has(kKey));
  EXPECT_EQ(journal.summary(kKey).value().values, run.values);
  EXPECT_EQ(journal.curve_point(kKey, 1).value(), run.curve[1]);
}

// Comparisons that were begun by an earlier program go on: the numbers stand in this order, the
// first violation as a count, the least slack behind a flag, the last flag as a byte.
TEST_F(JournalFile, HasTheBytesThatItAlwaysHad) {
  {
    Journal journal = std::move(Journal::open(folder_, kIdentity)).value();
    ASSERT_TRUE(journal.add(kKey, sample()).ok());
  }
  ByteWriter payload;
  for (std::uint64_t number = 1; number <= 5; ++number) payload.u64(number);
  payload.u8(1);
  for (const double number : {1.5, 2.5, 3.5, 4.5, 5.5}) payload.f64(number);
  payload.u64(9);
  payload.f64(7.5);
  payload.u8(1);
  payload.f64(8.5);
  payload.f64(9.5);
  payload.f64(10.5);
  payload.u8(1);
  payload.f64(12.5);
  payload.u64(2);
  for (int number = 1; number <= 10; ++number) payload.f64(number);
  const std::string written = bytes();
  const std::size_t begin = 8 + kIdentity.size() + 8;
  EXPECT_EQ(written.substr(begin), payload.bytes());
}

TEST_F(JournalFile, RefusesRunsWithOtherMetrics) {
  {
    Journal journal = std::move(Journal::open(folder_, kIdentity)).value();
    ASSERT_TRUE(journal.add(kKey, sample()).ok());
  }
  const std::string whole = bytes();
  const std::size_t begin = 8 + kIdentity.size();
  const std::string payload = whole.substr(begin + 8) + std::string(8, '\0');  // one number more
  ByteWriter record;
  record.u32(static_cast<std::uint32_t>(payload.size()));
  record.u32(checksum(payload));
  const std::string other = whole.substr(0, begin) + std::string(record.bytes()) + payload;
  ASSERT_TRUE(write_file(folder_ + "/journal.bin", other).ok());
  const Result<Journal> journal = Journal::open(folder_, kIdentity);
  ASSERT_FALSE(journal.ok());
  EXPECT_NE(journal.error().message.find("holds other metrics"), std::string::npos);
  EXPECT_EQ(bytes(), other);
}

}  // namespace
}  // namespace handrail
