#include <algorithm>
#include <cstdio>
#include <string_view>

#include "apps/commands.h"
#include "apps/fetch_progress.h"
#include "handrail/base/json.h"
#include "handrail/data/byte_source.h"
#include "handrail/data/catalog.h"
#include "handrail/data/format_registry.h"
#include "handrail/data/md5.h"

namespace handrail {
namespace {

void print_entries(const std::vector<CatalogEntry>& entries) {
  std::size_t width = 0;
  for (const CatalogEntry& entry : entries) width = std::max(width, entry.name.size());
  for (const CatalogEntry& entry : entries) {
    std::printf("%-*s  %-6s  %12llu bytes  %s%s%s\n", static_cast<int>(width), entry.name.c_str(),
                std::string(name_of(entry.format)).c_str(),
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
    json.field("format", name_of(entry.format));
    json.field("bytes", entry.bytes);
    json.field("place", std::string_view(entry.place));
    json.field("note", std::string_view(entry.note));
    json.end_object();
  }
  json.end_array();
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

// A set that is here already is not fetched again; the MD5 and path of each of its files are
// printed all the same.
int data_fetch_command(const DataCommand& command) {
  if (command.name == "-") return complain("stdin cannot be fetched");
  const Result<DataSource> source =
      with_fetch_progress(command.quiet, command.catalog, [&](const CatalogConfig& catalog) {
        return locate(command.name, catalog, command.class_column);
      });
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
