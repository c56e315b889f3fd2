#include "handrail/data/table_builder.h"

#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/data/cell_text.h"

namespace handrail {

Status TableBuilder::add_column(Column column) {
  HANDRAIL_ASSERT(!table_.has_value());
  const std::size_t index = columns_.size();
  if (index >= kMaxColumns) return too_many_columns();
  if (column.name.empty()) {
    return Error{"column " + std::to_string(index + 1) + " has an empty name"};
  }
  if (column.name.size() > kLongestColumnName) {
    return Error{shown_column(index, column.name) + " has a name of more than " +
                 std::to_string(kLongestColumnName) + " bytes"};
  }
  if (!names_.insert(column.name).second) {
    return Error{shown_column(index, column.name) + " has the name of an earlier column"};
  }
  const std::vector<std::string> values = std::move(column.values);
  column.values.clear();
  columns_.push_back(std::move(column));
  indexes_.emplace_back();
  row_.push_back(0.0);
  for (const std::string& value : values) {
    if (find_value(index, value).has_value()) {
      return Error{shown_column(index, columns_[index].name) + " has the value " + shown(value) +
                   " twice"};
    }
    const Result<std::uint32_t> added = find_or_add_value(index, value);
    if (!added.ok()) return added.error();
  }
  return {};
}

std::optional<std::uint32_t> TableBuilder::find_value(std::size_t column,
                                                      std::string_view value) const {
  const auto found = indexes_[column].find(value);
  if (found == indexes_[column].end()) return std::nullopt;
  return found->second;
}

Result<std::uint32_t> TableBuilder::find_or_add_value(std::size_t column, std::string_view value) {
  const std::optional<std::uint32_t> found = find_value(column, value);
  if (found.has_value()) return *found;
  const Status counted = count_value(column, value);
  if (!counted.ok()) return counted.error();
  const auto index = static_cast<std::uint32_t>(indexes_[column].size());
  indexes_[column].emplace(value, index);
  columns_[column].values.emplace_back(value);
  return index;
}

Status TableBuilder::count_value(std::size_t column, std::string_view value) {
  const std::string name = shown_column(column, columns_[column].name);
  if (columns_[column].values.size() >= kMaxValuesOfColumn) {
    return Error{name + " has more than " + std::to_string(kMaxValuesOfColumn) +
                 " different values; it looks like free text or an identifier: leave it out"};
  }
  value_count_ += 1;
  value_bytes_ += value.size();
  if (value_count_ > kMaxValues || value_bytes_ > kMaxValueBytes) {
    return Error{name + " and those before it have more than " + std::to_string(kMaxValues) +
                 " different values, or more than " + std::to_string(kMaxValueBytes) +
                 " bytes of them; are these free texts?"};
  }
  return {};
}

Status TableBuilder::add_row() {
  if (!table_.has_value()) table_.emplace(columns_);
  if ((table_->row_count() + 1) * columns_.size() > cell_limit_) {
    return too_many_cells(cell_limit_);
  }
  table_->add_row(row_);
  return {};
}

Result<Table> TableBuilder::finish() {
  if (!table_.has_value()) return Error{"has no rows"};
  // Readers that learn values as they go have more of them now than at the first row.
  for (std::size_t i = 0; i < columns_.size(); ++i) table_->column(i) = std::move(columns_[i]);
  return *std::move(table_);
}

std::vector<std::size_t> numeric_runs(const TableBuilder& table) {
  std::vector<std::size_t> runs(table.column_count());
  std::size_t run = 0;
  for (std::size_t i = runs.size(); i > 0; --i) {
    run = table.column(i - 1).kind == ColumnKind::kNumeric ? run + 1 : 0;
    runs[i - 1] = run;
  }
  return runs;
}

Error too_many_columns() {
  return Error{"more than " + std::to_string(kMaxColumns) + " columns; no more are read"};
}

Error too_many_cells(std::uint64_t limit) {
  return Error{"more than " + std::to_string(limit) +
               " cells (rows times columns), which is the limit"};
}

Error row_too_short(const TableBuilder& table, std::size_t cell_count) {
  return Error{"the row ends after " + std::to_string(cell_count) + " of " +
               std::to_string(table.column_count()) + " columns; the next is " +
               shown_column(cell_count, table.column(cell_count).name)};
}

Error row_too_long(const TableBuilder& table, std::string_view rest) {
  return Error{"the row goes on with " + shown(rest) + " behind the last of " +
               std::to_string(table.column_count()) + " columns"};
}

}  // namespace handrail
