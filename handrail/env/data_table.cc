#include "handrail/env/data_table.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/text.h"
#include "handrail/data/find_column.h"
#include "handrail/data/format_registry.h"

namespace handrail {
namespace {

void add_what_the_source_says(const DataSource& source, DataConfig& config) {
  if (config.class_column.empty()) config.class_column = source.class_column;
  for (const std::string& name : source.ignored_columns) {
    if (std::ranges::count(config.ignored_columns, name) == 0) {
      config.ignored_columns.push_back(name);
    }
  }
}

// A format that is asked for goes before the source's own, as in read_source().
bool declares_classes(const DataTable& data) {
  const FormatEntry* const told =
      data.config.format != nullptr ? data.config.format : data.source.format;
  return std::ranges::all_of(data.source.paths, [told](const std::string& path) {
    const FormatEntry* const format = told != nullptr ? told : format_of_path(path);
    return format != nullptr && format->declares_classes;
  });
}

Result<std::vector<std::size_t>> find_columns(const Table& table,
                                              const std::vector<std::string>& names,
                                              std::string_view role) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const Result<std::size_t> column = find_column(table, name, role);
    if (!column.ok()) return column.error();
    columns.push_back(column.value());
  }
  return columns;
}

}  // namespace

Result<DataTable> load_data(const DataConfig& config, const CatalogConfig& catalog) {
  Result<DataSource> source = locate(config.name, catalog, config.class_column);
  if (!source.ok()) return source.error();
  DataConfig resolved = config;
  add_what_the_source_says(source.value(), resolved);
  ReadOptions options{.format = config.format, .header = config.header};
  if (config.has_classes()) options.nominal_columns = {resolved.class_column};
  if (config.follows_column()) options.nominal_columns.push_back(config.followed_column());
  Result<Table> table = read_source(source.value(), options);
  if (!table.ok()) return table.error();
  return DataTable{.source = std::move(source).value(),
                   .config = std::move(resolved),
                   .table = std::move(table).value()};
}

Status check_class_names(const DataTable& data) {
  if (!data.config.has_classes() || declares_classes(data)) return {};
  const Result<std::size_t> found = find_class_column(data.table, data.config.class_column);
  if (!found.ok()) return {};  // roles_of_columns() will say so
  const Column& column = data.table.columns()[found.value()];
  const auto is_number = [](const std::string& value) { return to_number(value).has_value(); };
  const auto is_whole = [](const std::string& value) {
    return std::fmod(*to_number(value), 1.0) == 0.0;
  };
  if (column.values.empty() || !std::ranges::all_of(column.values, is_number)) return {};
  const auto broken = std::ranges::find_if_not(column.values, is_whole);
  if (broken == column.values.end()) return {};
  return Error{data.config.name + ": column \"" + column.name + "\" holds numbers such as " +
               *broken + "; a class column holds names or whole numbers"};
}

Result<ColumnRoles> roles_of_columns(const Table& table, const DataConfig& config) {
  ColumnRoles roles;
  const Result<std::vector<std::size_t>> ignored =
      find_columns(table, config.ignored_columns, "ignored");
  if (!ignored.ok()) return ignored.error();
  roles.ignored = ignored.value();
  if (config.follows_column()) {
    const Result<std::size_t> column = find_column(table, config.followed_column(), "the baseline");
    if (!column.ok()) return column.error();
    roles.baseline = column.value();
  }
  const Result<std::vector<std::size_t>> costs = find_columns(table, config.cost_columns, "a cost");
  if (!costs.ok()) return costs.error();
  roles.cost_columns = costs.value();
  if (config.has_classes()) {
    const Result<std::size_t> column = find_class_column(table, config.class_column);
    if (!column.ok()) return column.error();
    roles.class_column = column.value();
  }
  const auto has_role = [&](std::size_t column) {
    return roles.baseline == column || roles.class_column == column ||
           std::ranges::count(roles.ignored, column) > 0 ||
           std::ranges::count(roles.cost_columns, column) > 0;
  };
  for (std::size_t i = 0; i < table.column_count(); ++i) {
    if (!has_role(i)) roles.features.push_back(i);
  }
  return roles;
}

}  // namespace handrail
