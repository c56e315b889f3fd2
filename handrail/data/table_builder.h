// What every reader does on its way to a table, with bounds, so that a small file cannot ask for
// all memory. Errors say nothing of the place, which only the reader knows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/table.h"

namespace handrail {

inline constexpr std::size_t kMaxColumns = 100'000;
inline constexpr std::size_t kLongestColumnName = 1'000;
// A nominal column becomes one indicator for each of its values; with more than these it is free
// text or a number of identification, which nothing can be learned from.
inline constexpr std::size_t kMaxValuesOfColumn = 10'000;
inline constexpr std::size_t kMaxValues = 1'000'000;                  // of all columns together
inline constexpr std::size_t kMaxValueBytes = std::size_t{64} << 20;  // likewise

class TableBuilder {
 public:
  // `cell_limit`: rows times columns.
  explicit TableBuilder(std::uint64_t cell_limit) : cell_limit_(cell_limit) {}

  // Refuses a name that is empty, too long or taken, one column too many, and values that are not
  // distinct or too many.
  Status add_column(Column column);
  std::size_t column_count() const { return columns_.size(); }
  const Column& column(std::size_t index) const { return columns_[index]; }

  // The place of a value among those of a nominal column.
  std::optional<std::uint32_t> find_value(std::size_t column, std::string_view value) const;
  Result<std::uint32_t> find_or_add_value(std::size_t column, std::string_view value);

  // One cell for each column, to be filled before add_row.
  std::vector<double>& row() { return row_; }
  Status add_row();
  // For a reader that will start again and only wants to see what else is wrong.
  void forget_rows() { table_.reset(); }
  // Refuses a table without rows.
  Result<Table> finish();

 private:
  struct TextHash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's word
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using ValueIndex = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

  Status count_value(std::size_t column, std::string_view value);

  std::uint64_t cell_limit_;
  std::vector<Column> columns_;
  std::vector<ValueIndex> indexes_;  // of nominal columns, empty for the others
  std::unordered_set<std::string> names_;
  std::size_t value_count_ = 0;
  std::size_t value_bytes_ = 0;
  std::optional<Table> table_;  // from the first row on
  std::vector<double> row_;
};

// For each column, how many from it on are numeric up to the first that is not: 0 for a nominal
// one.
std::vector<std::size_t> numeric_runs(const TableBuilder& table);

// What readers say alike.
Error too_many_columns();
Error too_many_cells(std::uint64_t limit);
Error row_too_short(const TableBuilder& table, std::size_t cell_count);
Error row_too_long(const TableBuilder& table, std::string_view rest);

}  // namespace handrail
