// A data set as its file tells it: columns with names and kinds, and rows of cells. Nothing is
// scaled, coded or left out here; that is what encoding is for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handrail {

enum class ColumnKind : std::uint8_t { kNumeric = 0, kNominal = 1 };

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::kNumeric;
  std::vector<std::string> values = {};  // of a nominal column, in the order of the file

  friend bool operator==(const Column&, const Column&) = default;
};

// A cell is a number: of a numeric column its value, always finite; of a nominal one the index of
// its value; NaN where the file has none.
class Table {
 public:
  explicit Table(std::vector<Column> columns)
      : columns_(std::move(columns)), block_shift_(block_shift(columns_.size())) {}

  std::size_t row_count() const { return row_count_; }
  std::size_t column_count() const { return columns_.size(); }
  std::span<const Column> columns() const { return columns_; }
  std::span<const double> row(std::size_t index) const {
    const std::size_t place = index & ((std::size_t{1} << block_shift_) - 1);
    return std::span(blocks_[index >> block_shift_])
        .subspan(place * columns_.size(), columns_.size());
  }
  std::optional<std::size_t> find_column(std::string_view name) const;

  // For readers. One cell a column.
  void add_row(std::span<const double> cells);
  // A reader may learn of a nominal column's values as it goes.
  Column& column(std::size_t index) { return columns_[index]; }

 private:
  // About a megabyte each, and a power of two of rows.
  static unsigned block_shift(std::size_t column_count) {
    constexpr std::size_t kCells = std::size_t{1} << 17;
    const std::size_t rows = kCells / std::max<std::size_t>(column_count, 1);
    return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(rows, 1)) - 1);
  }

  std::vector<Column> columns_;
  // Cells row by row. In blocks, since one vector that grows would need three times the memory, and
  // the time to copy all cells twice.
  std::vector<std::vector<double>> blocks_;
  unsigned block_shift_;  // binary logarithm of the rows in a block
  std::size_t row_count_ = 0;
};

}  // namespace handrail
