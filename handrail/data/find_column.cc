#include "handrail/data/find_column.h"

#include <optional>
#include <string>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/data/cell_text.h"

namespace handrail {
namespace {

Error no_columns() {
  return Error{"has no columns"};
}

}  // namespace

Result<std::size_t> find_column(const Table& table, std::string_view name, std::string_view role) {
  if (table.column_count() == 0) return no_columns();
  const std::optional<std::size_t> found = table.find_column(name);
  if (found.has_value()) return *found;
  std::vector<std::string_view> known;
  for (const Column& column : table.columns()) known.push_back(column.name);
  return Error{"no column is called " + quoted(name) + ", which was to be " + std::string(role) +
               "; the nearest is " + quoted(nearest(name, known))};
}

Result<std::size_t> find_class_column(const Table& table, std::string_view name) {
  if (table.column_count() == 0) return no_columns();
  const Result<std::size_t> index = name.empty() ? Result<std::size_t>(table.column_count() - 1)
                                                 : find_column(table, name, "the class");
  if (!index.ok()) return index;
  const Column& column = table.columns()[index.value()];
  if (column.kind == ColumnKind::kNominal) return index;
  return Error{"column " + shown(column.name) + " is numeric, and the class" +
               (name.empty() ? ", the last column if none is named," : "") + " has to be nominal"};
}

}  // namespace handrail
