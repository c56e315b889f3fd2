// A long row as what is in it: groups of neighbouring numbers that are not all 0, and where they
// stand. Of an image or of categories that is a small part, and so is what has to be kept until a
// cost arrives, and what a learner has to go over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

// As many numbers as an AVX2 vector holds. Larger groups take more zeros along.
inline constexpr std::size_t kGroupSize = 4;

// With so few numbers it costs less to compute with zeros than to look for them.
inline constexpr std::size_t kShortRow = 32;

// A view, for kernels. Behind the end of the row a group is 0.
struct SparseRowView {
  const double* groups = nullptr;          // kGroupSize numbers each
  const std::uint32_t* offsets = nullptr;  // where each begins: rising, multiples of kGroupSize
  std::size_t count = 0;                   // of groups

  std::span<const double> numbers() const { return {groups, count * kGroupSize}; }
};

// A row that owns its list. Its memory grows to what the longest list took and is used again.
class SparseRow {
 public:
  // Lists a row of less than 2^32 numbers.
  void list(std::span<const double> row);
  // The row that has these values at these places, and 0 elsewhere. Refuses, and becomes empty:
  // places that do not rise or are not in the row, another number of values than of places, rows of
  // 2^32 numbers and more.
  Status assign(std::size_t row_size, std::span<const std::uint32_t> places,
                std::span<const double> values);
  // Takes another's list over.
  void copy(const SparseRow& other);
  // As if nothing had been listed.
  void clear() {
    count_ = 0;
    row_size_ = 0;
    row_ = nullptr;
  }

  SparseRowView view() const {
    return {.groups = groups_.data(), .offsets = offsets_.data(), .count = count_};
  }
  std::size_t row_size() const { return row_size_; }  // 0 if nothing was listed
  const double* row() const { return row_; }          // what list() went over, where that was
  // Writes all numbers of the row, row_size() of them.
  void write_row(std::span<double> out) const;

 private:
  void make_room(std::size_t group_count);

  std::vector<double> groups_;
  std::vector<std::uint32_t> offsets_;
  std::size_t count_ = 0;
  std::size_t row_size_ = 0;
  const double* row_ = nullptr;
};

// The names of before; handrail.h promises that programs with them go on compiling.
using RowList = SparseRow;
using ListedRow = SparseRowView;

}  // namespace handrail
