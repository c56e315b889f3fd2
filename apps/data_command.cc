#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string_view>

#include "apps/commands.h"
#include "apps/terminal.h"
#include "handrail/base/json.h"
#include "handrail/data/byte_source.h"
#include "handrail/data/catalog.h"
#include "handrail/data/find_column.h"
#include "handrail/data/md5.h"

namespace handrail {
namespace {

void print_progress(std::uint64_t received, std::uint64_t expected) {
  constexpr double kMegabyte = 1e6;
  std::fprintf(stderr, "\r\033[K%.1f MB", static_cast<double>(received) / kMegabyte);
  if (expected > 0) std::fprintf(stderr, " of %.1f", static_cast<double>(expected) / kMegabyte);
}

Result<DataSource> locate_with_progress(const DataCommand& command) {
  CatalogConfig config = command.catalog;
  const bool is_shown = watched(command.quiet);
  config.progress = is_shown ? print_progress : nullptr;
  Result<DataSource> source = locate(command.name, config, command.class_column);
  if (is_shown) std::fprintf(stderr, "\r\033[K");
  return source;
}

void print_entries(const std::vector<CatalogEntry>& entries) {
  std::size_t width = 0;
  for (const CatalogEntry& entry : entries) width = std::max(width, entry.name.size());
  for (const CatalogEntry& entry : entries) {
    std::printf("%-*s  %-6s  %12llu bytes  %s%s%s\n", static_cast<int>(width), entry.name.c_str(),
                std::string(table_format_word(entry.format)).c_str(),
                static_cast<unsigned long long>(entry.bytes), entry.place.c_str(),
                entry.note.empty() ? "" : ", ", entry.note.c_str());
  }
}

void print_entries_as_json(const std::vector<CatalogEntry>& entries) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const CatalogEntry& entry : entries) {
    json.begin_object();
    json.field("name", std::string_view(entry.name));
    json.field("format", table_format_word(entry.format));
    json.field("bytes", entry.bytes);
    json.field("place", std::string_view(entry.place));
    json.field("note", std::string_view(entry.note));
    json.end_object();
  }
  json.end_array();
  std::printf("%s\n", text.c_str());
}

struct Described {
  const DataSource& source;
  const Table& table;
  std::size_t class_column = 0;
  std::vector<std::size_t> missing = {};       // cells of each column
  std::vector<std::size_t> class_counts = {};  // rows of each class
  std::size_t labelled_rows = 0;

  std::string_view role(std::size_t column) const {
    if (column == class_column) return "class";
    const std::vector<std::string>& ignored = source.ignored_columns;
    const std::string& name = table.columns()[column].name;
    const bool is_ignored = std::find(ignored.begin(), ignored.end(), name) != ignored.end();
    return is_ignored ? "ignored" : "feature";
  }
  std::size_t features_of(ColumnKind kind) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.column_count(); ++i) {
      if (table.columns()[i].kind == kind && role(i) == "feature") ++count;
    }
    return count;
  }
  std::size_t missing_cells() const {
    return std::accumulate(missing.begin(), missing.end(), std::size_t{0});
  }
  double share(std::size_t index) const {
    if (labelled_rows == 0) return 0.0;
    return static_cast<double>(class_counts[index]) / static_cast<double>(labelled_rows);
  }
};

Described describe(const DataSource& source, const Table& table, std::size_t class_column) {
  Described described{.source = source, .table = table, .class_column = class_column};
  described.missing.resize(table.column_count());
  described.class_counts.resize(table.columns()[class_column].values.size());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::span<const double> cells = table.row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) described.missing[i] += std::isnan(cells[i]);
    if (std::isnan(cells[class_column])) continue;
    ++described.class_counts[static_cast<std::size_t>(cells[class_column])];
    ++described.labelled_rows;
  }
  return described;
}

void print_missing(const Described& described) {
  constexpr std::size_t kShown = 10;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < described.missing.size(); ++i) {
    if (described.missing[i] > 0) order.push_back(i);
  }
  std::printf("missing   %zu cells in %zu columns\n", described.missing_cells(), order.size());
  std::stable_sort(order.begin(), order.end(), [&described](std::size_t a, std::size_t b) {
    return described.missing[a] > described.missing[b];
  });
  const double rows = static_cast<double>(described.table.row_count());
  for (std::size_t i = 0; i < order.size() && i < kShown; ++i) {
    const std::size_t count = described.missing[order[i]];
    std::printf("  %8zu  %5.1f %%  %s\n", count, 100.0 * static_cast<double>(count) / rows,
                described.table.columns()[order[i]].name.c_str());
  }
  if (order.size() > kShown) std::printf("  and %zu columns more\n", order.size() - kShown);
}

void print_described(const Described& described) {
  const Table& table = described.table;
  std::printf("from      %s\n", described.source.origin.c_str());
  std::printf("rows      %zu\n", table.row_count());
  std::printf("features  %zu numeric, %zu nominal\n", described.features_of(ColumnKind::kNumeric),
              described.features_of(ColumnKind::kNominal));
  for (const std::string& name : described.source.ignored_columns) {
    std::printf("ignored   %s\n", name.c_str());
  }
  print_missing(described);
  const Column& column = table.columns()[described.class_column];
  std::printf("class     %s, %zu classes\n", column.name.c_str(), column.values.size());
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    std::printf("  %8zu  %5.1f %%  %s\n", described.class_counts[i], 100.0 * described.share(i),
                column.values[i].c_str());
  }
}

void write_columns(JsonWriter& json, const Described& described) {
  json.key("columns");
  json.begin_array();
  for (std::size_t i = 0; i < described.table.column_count(); ++i) {
    const Column& column = described.table.columns()[i];
    const bool is_nominal = column.kind == ColumnKind::kNominal;
    json.begin_object();
    json.field("name", std::string_view(column.name));
    json.field("kind", std::string_view(is_nominal ? "nominal" : "numeric"));
    json.field("role", described.role(i));
    if (is_nominal) json.field("values", column.values.size());
    json.field("missing", described.missing[i]);
    json.end_object();
  }
  json.end_array();
}

void write_classes(JsonWriter& json, const Described& described) {
  const Column& column = described.table.columns()[described.class_column];
  json.field("class", std::string_view(column.name));
  json.key("classes");
  json.begin_array();
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    json.begin_object();
    json.field("name", std::string_view(column.values[i]));
    json.field("count", described.class_counts[i]);
    json.field("share", described.share(i));
    json.end_object();
  }
  json.end_array();
}

void print_described_as_json(const Described& described, const std::string& name) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("name", std::string_view(name));
  json.field("origin", std::string_view(described.source.origin));
  json.key("paths");
  json.begin_array();
  for (const std::string& path : described.source.paths) json.value(std::string_view(path));
  json.end_array();
  json.field("rows", described.table.row_count());
  json.field("numeric_features", described.features_of(ColumnKind::kNumeric));
  json.field("nominal_features", described.features_of(ColumnKind::kNominal));
  json.field("missing_cells", described.missing_cells());
  write_classes(json, described);
  write_columns(json, described);
  json.end_object();
  std::printf("%s\n", text.c_str());
}

struct Fetched {
  std::string path;
  std::string md5;  // of what is in it, unpacked
};

Result<std::vector<Fetched>> digest_all(const std::vector<std::string>& paths) {
  std::vector<Fetched> all;
  for (const std::string& path : paths) {
    const Result<std::unique_ptr<ByteSource>> bytes = open_source(path);
    if (!bytes.ok()) return bytes.error();
    Result<std::string> md5 = md5_of(*bytes.value());
    if (!md5.ok()) return md5.error();
    all.push_back({path, std::move(md5).value()});
  }
  return all;
}

void print_fetched_as_json(const std::vector<Fetched>& all, const DataSource& source) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("origin", std::string_view(source.origin));
  json.key("files");
  json.begin_array();
  for (const Fetched& fetched : all) {
    json.begin_object();
    json.field("path", std::string_view(fetched.path));
    json.field("md5", std::string_view(fetched.md5));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  std::printf("%s\n", text.c_str());
}

}  // namespace

int data_list_command(const DataCommand& command) {
  const Result<std::vector<CatalogEntry>> entries = list_catalog(command.catalog);
  if (!entries.ok()) return complain(entries.error().message);
  if (command.json) {
    print_entries_as_json(entries.value());
  } else {
    print_entries(entries.value());
  }
  return kExitYes;
}

int data_describe_command(const DataCommand& command) {
  ReadOptions options;
  if (!command.format.empty()) {
    const Result<TableFormat> format = parse_table_format(command.format);
    if (!format.ok()) return complain("--format: " + format.error().message);
    options.format = format.value();
  }
  const Result<DataSource> source = locate_with_progress(command);
  if (!source.ok()) return complain(source.error().message);
  options.nominal_columns = {source.value().class_column};
  const Result<Table> table = read_source(source.value(), options);
  if (!table.ok()) return complain(table.error().message);
  const Result<std::size_t> class_column =
      find_class_column(table.value(), source.value().class_column);
  if (!class_column.ok()) {
    return complain(source_name(source.value().paths.front()) + ": " +
                    class_column.error().message);
  }
  const Described described = describe(source.value(), table.value(), class_column.value());
  if (command.json) {
    print_described_as_json(described, command.name);
  } else {
    print_described(described);
  }
  return kExitYes;
}

// A set that is here already is not fetched again; the MD5 and path of each of its files are
// printed all the same.
int data_fetch_command(const DataCommand& command) {
  if (command.name == "-") return complain("stdin cannot be fetched");
  const Result<DataSource> source = locate_with_progress(command);
  if (!source.ok()) return complain(source.error().message);
  const Result<std::vector<Fetched>> all = digest_all(source.value().paths);
  if (!all.ok()) return complain(all.error().message);
  if (command.json) {
    print_fetched_as_json(all.value(), source.value());
    return kExitYes;
  }
  for (const Fetched& fetched : all.value()) {
    std::printf("%s  %s\n", fetched.md5.c_str(), fetched.path.c_str());
  }
  return kExitYes;
}

}  // namespace handrail
