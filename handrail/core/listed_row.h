// A long row as what is in it: groups of neighbouring numbers that are not all 0, and where they
// stand. Of an image or of categories that is a small part, and so is what has to be kept until a
// cost arrives, and what a learner has to go over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace handrail {

// As many numbers as an AVX2 vector holds. Larger groups take more zeros along.
inline constexpr std::size_t kGroupSize = 4;

// With so few numbers it costs less to compute with zeros than to look for them.
inline constexpr std::size_t kShortRow = 32;

// A view. Behind the end of the row a group is 0.
struct ListedRow {
  const double* groups = nullptr;          // kGroupSize numbers each
  const std::uint32_t* offsets = nullptr;  // where each begins: rising, multiples of kGroupSize
  std::size_t count = 0;                   // of groups
  const double* row = nullptr;             // what was listed, if it is still the caller's
};

// Memory for one list. It grows to what the longest list took and is used again.
class RowList {
 public:
  // Lists a row of less than 2^32 numbers.
  void list(std::span<const double> row);
  // Takes the list of a row of so many numbers over.
  void copy(const ListedRow& listed, std::size_t row_size);
  // As if nothing had been listed.
  void clear() {
    count_ = 0;
    row_size_ = 0;
    row_ = nullptr;
  }

  ListedRow view() const {
    return {.groups = groups_.data(), .offsets = offsets_.data(), .count = count_, .row = row_};
  }
  std::size_t row_size() const { return row_size_; }  // 0 if nothing was listed

 private:
  void make_room(std::size_t group_count);

  std::vector<double> groups_;
  std::vector<std::uint32_t> offsets_;
  std::size_t count_ = 0;
  std::size_t row_size_ = 0;
  const double* row_ = nullptr;
};

// All numbers of a row of this size.
std::vector<double> unlisted(const ListedRow& listed, std::size_t row_size);

}  // namespace handrail
