#include "handrail/core/sparse_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

std::vector<double> random_row(RandomStream& stream, std::size_t size, double zero_share) {
  std::vector<double> row(size);
  for (double& value : row) {
    if (stream.uniform() >= zero_share) value = stream.normal();
  }
  return row;
}

std::vector<double> row_of(const SparseRow& list) {
  std::vector<double> row(list.row_size(), 7.0);
  list.write_row(row);
  return row;
}

bool is_zero(const double* group) {
  return std::all_of(group, group + kGroupSize, [](double value) { return value == 0.0; });
}

TEST(SparseRow, ListsWhatIsNotZero) {
  RandomStream stream(1, Purpose::kTest, 31);
  SparseRow list;
  for (std::size_t size = 0; size < 70; ++size) {
    for (const double zero_share : {0.0, 0.7, 0.95, 1.0}) {
      SCOPED_TRACE(std::to_string(size) + " numbers, zeros " + std::to_string(zero_share));
      std::vector<double> row = random_row(stream, size, zero_share);
      list.list(row);
      EXPECT_EQ(list.row_size(), size);
      const SparseRowView listed = list.view();
      std::vector<double> restored(size + kGroupSize, 0.0);
      for (std::size_t n = 0; n < listed.count; ++n) {
        EXPECT_EQ(listed.offsets[n] % kGroupSize, 0U);
        EXPECT_TRUE(n == 0 || listed.offsets[n] > listed.offsets[n - 1]);
        const double* const group = listed.groups + n * kGroupSize;
        EXPECT_FALSE(is_zero(group));
        std::copy_n(group, kGroupSize, restored.begin() + listed.offsets[n]);
      }
      row.resize(size + kGroupSize, 0.0);
      EXPECT_EQ(restored, row);
    }
  }
}

TEST(SparseRow, IsTheSameAsACopy) {
  RandomStream stream(1, Purpose::kTest, 32);
  SparseRow list;
  SparseRow copy;
  for (const std::size_t size : {50U, 3U, 200U, 50U}) {
    list.list(random_row(stream, size, 0.7));
    copy.copy(list);
    const SparseRowView a = list.view();
    const SparseRowView b = copy.view();
    ASSERT_EQ(a.count, b.count);
    EXPECT_EQ(copy.row_size(), size);
    EXPECT_TRUE(std::equal(a.offsets, a.offsets + a.count, b.offsets));
    EXPECT_TRUE(std::equal(a.groups, a.groups + a.count * kGroupSize, b.groups));
  }
  copy.clear();
  EXPECT_EQ(copy.row_size(), 0U);
  EXPECT_EQ(copy.view().count, 0U);
}

TEST(SparseRow, GivesTheRowBack) {
  RandomStream stream(1, Purpose::kTest, 33);
  SparseRow list;
  for (std::size_t size = 0; size < 70; ++size) {
    const std::vector<double> row = random_row(stream, size, 0.9);
    list.list(row);
    EXPECT_EQ(row_of(list), row);
  }
}

// A group with −0 is listed: else a row would not come back bit for bit.
TEST(SparseRow, KeepsTheSignOfZero) {
  std::vector<double> row(40, 0.0);
  row[13] = -0.0;
  SparseRow list;
  list.list(row);
  EXPECT_EQ(list.view().count, 1u);
  EXPECT_TRUE(std::signbit(row_of(list)[13]));
}

TEST(SparseRow, IsTheSameFromPlacesAndValues) {
  RandomStream stream(1, Purpose::kTest, 34);
  SparseRow by_row;
  SparseRow by_places;
  for (std::size_t size = 1; size < 70; ++size) {
    const std::vector<double> row = random_row(stream, size, 0.8);
    std::vector<std::uint32_t> places;
    std::vector<double> values;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (row[i] == 0.0) continue;
      places.push_back(i);
      values.push_back(row[i]);
    }
    by_row.list(row);
    ASSERT_TRUE(by_places.assign(size, places, values).ok());
    const SparseRowView a = by_row.view();
    const SparseRowView b = by_places.view();
    ASSERT_EQ(a.count, b.count);
    EXPECT_TRUE(std::equal(a.offsets, a.offsets + a.count, b.offsets));
    EXPECT_TRUE(std::ranges::equal(a.numbers(), b.numbers()));
    EXPECT_EQ(row_of(by_places), row);
  }
}

TEST(SparseRow, RefusesPlacesThatMakeNoRow) {
  struct Case {
    std::size_t row_size;
    std::vector<std::uint32_t> places;
    std::vector<double> values;
    std::string complaint;
  };
  const std::vector<Case> cases = {
      {5, {5}, {1.0}, "place 5 is not in a row of 5 numbers, counted from 0"},
      {5, {1, 1}, {1.0, 2.0}, "place 1 comes behind place 1; rising places were expected"},
      {5, {3, 2}, {1.0, 2.0}, "place 2 comes behind place 3; rising places were expected"},
      {5, {1, 2}, {1.0}, "2 places have 1 values; one each was expected"},
      {std::size_t{1} << 32, {}, {}, "a row has 4294967296 numbers; at most 2^32 - 1 fit"},
  };
  for (const Case& bad : cases) {
    SparseRow list;
    ASSERT_TRUE(list.assign(9, std::vector<std::uint32_t>{2}, std::vector<double>{1.0}).ok());
    const Status refused = list.assign(bad.row_size, bad.places, bad.values);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, bad.complaint);
    EXPECT_EQ(list.row_size(), 0U);
    EXPECT_EQ(list.view().count, 0U);
  }
}

}  // namespace
}  // namespace handrail
