// `handrail data describe`: what a run on a data set will see.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/commands.h"
#include "apps/fetch_progress.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/config/spec.h"
#include "handrail/env/data_table.h"

namespace handrail {
namespace {

class Described {
 public:
  Described(const DataTable& data, ColumnRoles roles);

  const DataTable& data() const { return data_; }
  const Table& table() const { return data_.table; }
  const ColumnRoles& roles() const { return roles_; }
  std::size_t missing(std::size_t column) const { return missing_[column]; }
  std::size_t missing_cells() const {
    return std::accumulate(missing_.begin(), missing_.end(), std::size_t{0});
  }
  std::string_view role(std::size_t column) const;
  std::size_t features_of(ColumnKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(
        roles_.features, kind, [&](std::size_t i) { return table().columns()[i].kind; }));
  }
  // Null if it has cost columns.
  const Column* class_column() const {
    return roles_.class_column.has_value() ? &table().columns()[*roles_.class_column] : nullptr;
  }
  std::size_t class_count(std::size_t index) const { return class_counts_[index]; }
  // Among the rows that have a class.
  double share(std::size_t index) const {
    if (labelled_rows_ == 0) return 0.0;
    return static_cast<double>(class_counts_[index]) / static_cast<double>(labelled_rows_);
  }
  // As the run counts it; nothing if the column holds no numbers or lacks one.
  std::optional<double> mean_cost(std::size_t column) const;

 private:
  void count_classes(std::size_t column);

  const DataTable& data_;
  ColumnRoles roles_;
  std::vector<std::size_t> missing_;       // cells of each column
  std::vector<std::size_t> class_counts_;  // rows of each class
  std::size_t labelled_rows_ = 0;
};

Described::Described(const DataTable& data, ColumnRoles roles)
    : data_(data), roles_(std::move(roles)), missing_(data.table.column_count()) {
  for (std::size_t row = 0; row < table().row_count(); ++row) {
    const std::span<const double> cells = table().row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) missing_[i] += std::isnan(cells[i]);
  }
  if (roles_.class_column.has_value()) count_classes(*roles_.class_column);
}

void Described::count_classes(std::size_t column) {
  class_counts_.resize(table().columns()[column].values.size());
  for (std::size_t row = 0; row < table().row_count(); ++row) {
    const double cell = table().row(row)[column];
    if (std::isnan(cell)) continue;
    ++class_counts_[static_cast<std::size_t>(cell)];
    ++labelled_rows_;
  }
}

std::string_view Described::role(std::size_t column) const {
  if (roles_.class_column == column) return "class";
  if (std::ranges::count(roles_.cost_columns, column) > 0) return "cost";
  if (roles_.baseline == column) return "baseline";
  return std::ranges::count(roles_.ignored, column) > 0 ? "ignored" : "feature";
}

std::optional<double> Described::mean_cost(std::size_t column) const {
  const std::size_t rows = table().row_count();
  const bool is_numeric = table().columns()[column].kind == ColumnKind::kNumeric;
  if (!is_numeric || missing_[column] > 0 || rows == 0) return std::nullopt;
  double sum = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    sum += table().row(row)[column] / data_.config.cost_max;
  }
  return sum / static_cast<double>(rows);
}

void print_missing(const Described& described) {
  constexpr std::size_t kShown = 10;
  const Table& table = described.table();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < table.column_count(); ++i) {
    if (described.missing(i) > 0) order.push_back(i);
  }
  std::printf("missing   %zu cells in %zu columns\n", described.missing_cells(), order.size());
  std::stable_sort(order.begin(), order.end(), [&described](std::size_t a, std::size_t b) {
    return described.missing(a) > described.missing(b);
  });
  const auto rows = static_cast<double>(table.row_count());
  for (std::size_t i = 0; i < order.size() && i < kShown; ++i) {
    const std::size_t count = described.missing(order[i]);
    std::printf("  %8zu  %5.1f %%  %s\n", count, 100.0 * static_cast<double>(count) / rows,
                table.columns()[order[i]].name.c_str());
  }
  if (order.size() > kShown) std::printf("  and %zu columns more\n", order.size() - kShown);
}

void print_classes(const Described& described, const Column& column) {
  std::printf("class     %s, %zu classes\n", column.name.c_str(), column.values.size());
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    std::printf("  %8zu  %5.1f %%  %s\n", described.class_count(i), 100.0 * described.share(i),
                column.values[i].c_str());
  }
}

void print_costs(const Described& described) {
  const std::vector<std::size_t>& columns = described.roles().cost_columns;
  std::printf("costs     %zu columns, divided by %s; the mean of each\n", columns.size(),
              to_text(described.data().config.cost_max).c_str());
  for (const std::size_t column : columns) {
    const std::optional<double> mean = described.mean_cost(column);
    const std::string text = mean.has_value() ? to_text(std::round(1e4 * *mean) / 1e4) : "unknown";
    std::printf("  %8s  %s\n", text.c_str(), described.table().columns()[column].name.c_str());
  }
}

void print_described(const Described& described) {
  const Table& table = described.table();
  std::printf("from      %s\n", described.data().source.origin.c_str());
  std::printf("rows      %zu\n", table.row_count());
  std::printf("features  %zu numeric, %zu nominal\n", described.features_of(ColumnKind::kNumeric),
              described.features_of(ColumnKind::kNominal));
  for (const std::size_t column : described.roles().ignored) {
    std::printf("ignored   %s\n", table.columns()[column].name.c_str());
  }
  if (described.roles().baseline.has_value()) {
    std::printf("baseline  %s\n", table.columns()[*described.roles().baseline].name.c_str());
  }
  print_missing(described);
  if (const Column* const column = described.class_column()) {
    print_classes(described, *column);
  } else {
    print_costs(described);
  }
}

void write_columns(JsonWriter& json, const Described& described) {
  json.key("columns");
  json.begin_array();
  for (std::size_t i = 0; i < described.table().column_count(); ++i) {
    const Column& column = described.table().columns()[i];
    const bool is_nominal = column.kind == ColumnKind::kNominal;
    json.begin_object();
    json.field("name", std::string_view(column.name));
    json.field("kind", std::string_view(is_nominal ? "nominal" : "numeric"));
    json.field("role", described.role(i));
    if (is_nominal) json.field("values", column.values.size());
    json.field("missing", described.missing(i));
    json.end_object();
  }
  json.end_array();
}

void write_classes(JsonWriter& json, const Described& described, const Column& column) {
  json.field("class", std::string_view(column.name));
  json.key("classes");
  json.begin_array();
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    json.begin_object();
    json.field("name", std::string_view(column.values[i]));
    json.field("count", described.class_count(i));
    json.field("share", described.share(i));
    json.end_object();
  }
  json.end_array();
}

void write_costs(JsonWriter& json, const Described& described) {
  json.key("costs");
  json.begin_array();
  for (const std::size_t column : described.roles().cost_columns) {
    json.begin_object();
    json.field("name", std::string_view(described.table().columns()[column].name));
    json.field("mean", described.mean_cost(column));
    json.end_object();
  }
  json.end_array();
}

void print_described_as_json(const Described& described) {
  const DataSource& source = described.data().source;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("name", std::string_view(described.data().config.name));
  json.field("origin", std::string_view(source.origin));
  json.key("paths");
  json.begin_array();
  for (const std::string& path : source.paths) json.value(std::string_view(path));
  json.end_array();
  json.field("rows", described.table().row_count());
  json.field("numeric_features", described.features_of(ColumnKind::kNumeric));
  json.field("nominal_features", described.features_of(ColumnKind::kNominal));
  json.field("missing_cells", described.missing_cells());
  if (const Column* const column = described.class_column()) {
    write_classes(json, described, *column);
  } else {
    write_costs(json, described);
  }
  write_columns(json, described);
  json.end_object();
  std::printf("%s\n", text.c_str());
}

// The SPEC, with the flags over it.
Result<DataConfig> asked_for(const DataCommand& command) {
  Result<Spec> spec =
      parse_spec({.key = "data", .value = command.name, .place = {}}, NameForm::kPath);
  if (!spec.ok()) return spec.error();
  for (const Setting& flag : {Setting{"format", command.format, "--format"},
                              Setting{"class", command.class_column, "--class"}}) {
    if (flag.value.empty()) continue;
    // Not by set_key(): a flag's value is no text of a SPEC and may hold commas.
    std::erase_if(spec.value().keys, [&](const Setting& key) { return key.key == flag.key; });
    spec.value().keys.push_back(flag);
  }
  return read_data(spec.value());
}

}  // namespace

int data_describe_command(const DataCommand& command) {
  const Result<DataConfig> config = asked_for(command);
  if (!config.ok()) return complain(config.error().message);
  const Result<DataTable> data = with_fetch_progress(
      command.quiet, command.catalog,
      [&](const CatalogConfig& catalog) { return load_data(config.value(), catalog); });
  if (!data.ok()) return complain(data.error().message);
  const Result<ColumnRoles> roles = roles_of_columns(data.value().table, data.value().config);
  if (!roles.ok()) return complain(config.value().name + ": " + roles.error().message);
  const Described described(data.value(), roles.value());
  if (command.json) {
    print_described_as_json(described);
  } else {
    print_described(described);
  }
  return kExitYes;
}

}  // namespace handrail
