#include "handrail/data/data_source.h"

#include <cmath>
#include <unordered_map>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/read_table.h"

namespace handrail {
namespace {

// For each column of `from` the index that each of its values has in `to`, where new ones are
// added. Empty for numeric columns.
using Indices = std::vector<std::vector<double>>;

std::vector<double> merge_values(Column& to, const Column& from) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < to.values.size(); ++i) places.emplace(to.values[i], i);
  std::vector<double> indices;
  for (const std::string& value : from.values) {
    const auto [found, is_new] = places.emplace(value, to.values.size());
    if (is_new) to.values.push_back(value);
    indices.push_back(static_cast<double>(found->second));
  }
  return indices;
}

Result<Indices> merge_columns(Table& to, const Table& from, const std::string& path) {
  if (to.column_count() != from.column_count()) {
    return Error{path + ": it has " + std::to_string(from.column_count()) +
                 " columns, and the file before it " + std::to_string(to.column_count())};
  }
  Indices indices;
  for (std::size_t i = 0; i < from.column_count(); ++i) {
    const Column& column = from.columns()[i];
    if (column.name != to.columns()[i].name || column.kind != to.columns()[i].kind) {
      return Error{path + ": its " + shown_column(i, column.name) +
                   " differs in name or kind from " + shown_column(i, to.columns()[i].name) +
                   " of the file before it"};
    }
    indices.push_back(merge_values(to.column(i), column));
  }
  return indices;
}

Status append(Table& to, const Table& from, const std::string& path) {
  const Result<Indices> indices = merge_columns(to, from, path);
  if (!indices.ok()) return indices.error();
  std::vector<double> cells(from.column_count());
  for (std::size_t row = 0; row < from.row_count(); ++row) {
    const std::span<const double> old = from.row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool keeps_number = std::isnan(old[i]) || indices.value()[i].empty();
      cells[i] = keeps_number ? old[i] : indices.value()[i][static_cast<std::size_t>(old[i])];
    }
    to.add_row(cells);
  }
  return {};
}

}  // namespace

Result<Table> read_source(const DataSource& source, ReadOptions options) {
  HANDRAIL_ASSERT(!source.paths.empty());
  if (options.format == nullptr) options.format = source.format;
  Result<Table> table = read_table(source.paths.front(), options);
  if (!table.ok()) return table;
  for (std::size_t i = 1; i < source.paths.size(); ++i) {
    const Result<Table> next = read_table(source.paths[i], options);
    if (!next.ok()) return next.error();
    const Status appended = append(table.value(), next.value(), source.paths[i]);
    if (!appended.ok()) return appended.error();
  }
  return table;
}

}  // namespace handrail
