// A data set as its file tells it: columns with names and kinds, and rows of cells. Nothing is
// scaled, coded or left out here; that is what encoding is for.
#pragma once

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
};

// A cell is a number: of a numeric column its value, always finite; of a nominal one the index of
// its value; NaN where the file has none.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  std::size_t row_count() const { return columns_.empty() ? 0 : cells_.size() / columns_.size(); }
  std::size_t column_count() const { return columns_.size(); }
  std::span<const Column> columns() const { return columns_; }
  std::span<const double> row(std::size_t index) const {
    return std::span(cells_).subspan(index * columns_.size(), columns_.size());
  }
  std::optional<std::size_t> find_column(std::string_view name) const;

  // For readers. One cell a column.
  void add_row(std::span<const double> cells) {
    cells_.insert(cells_.end(), cells.begin(), cells.end());
  }
  // A reader may learn of a nominal column's values as it goes.
  Column& column(std::size_t index) { return columns_[index]; }

 private:
  std::vector<Column> columns_;
  std::vector<double> cells_;
};

}  // namespace handrail
