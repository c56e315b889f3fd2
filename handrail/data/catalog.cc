#include "handrail/data/catalog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "handrail/base/text.h"
#include "handrail/data/arff_reader.h"
#include "handrail/data/format_registry.h"
#include "handrail/data/idx_reader.h"
#include "handrail/data/openml.h"
#include "handrail/data/openml_cache.h"

namespace handrail {
namespace {

constexpr std::string_view kOpenmlPrefix = "openml:";
constexpr std::string_view kFashionMnist = "fashion-mnist";
constexpr std::array<std::string_view, 2> kFashionMnistImages = {"train-images-idx3-ubyte",
                                                                 "t10k-images-idx3-ubyte"};
constexpr std::array<std::string_view, 3> kPackings = {"", ".gz", ".zst"};

bool is_file(const std::string& path) {
  std::error_code absent;
  return std::filesystem::exists(path, absent) && !std::filesystem::is_directory(path, absent);
}

// Endings in the data folder: where a name has several files, the first of these is meant.
std::vector<std::string_view> endings_of_names() {
  std::vector<std::string_view> endings;
  for (const FormatEntry* const format : formats()) {
    for (const FormatEnding& ending : format->endings) {
      if (ending.ends_names) endings.push_back(ending.text);
    }
  }
  return endings;
}

std::optional<std::string> find_in_folder(const std::string& folder, const std::string& name) {
  for (const std::string_view ending : endings_of_names()) {
    for (const std::string_view packing : kPackings) {
      const std::string file = name + std::string(ending) + std::string(packing);
      std::string path = (std::filesystem::path(folder) / file).string();
      if (is_file(path)) return path;
    }
  }
  return std::nullopt;
}

// The name that a file of the data folder goes by; none if it is no data set.
std::optional<std::string> name_of_file(std::string_view file) {
  for (const std::string_view ending : endings_of_names()) {
    for (const std::string_view packing : kPackings) {
      const std::string whole = std::string(ending) + std::string(packing);
      if (file.size() > whole.size() && file.ends_with(whole)) {
        return std::string(file.substr(0, file.size() - whole.size()));
      }
    }
  }
  return std::nullopt;
}

Result<std::vector<CatalogEntry>> list_folder(const std::string& folder) {
  std::vector<CatalogEntry> entries;
  std::error_code problem;
  std::filesystem::directory_iterator entry(folder, problem);
  for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
    const std::string path = entry->path().string();
    const std::optional<std::string> name = name_of_file(entry->path().filename().string());
    // A second file of the same name cannot be named.
    if (!name.has_value() || find_in_folder(folder, *name) != path) continue;
    std::error_code unknown;
    entries.push_back({.name = *name,
                       .format = format_of_path(path),
                       .bytes = entry->file_size(unknown),
                       .place = "data folder"});
  }
  if (problem) return Error{folder + ": cannot read the data folder: " + problem.message()};
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

// Both files or none; each plain or packed.
std::vector<std::string> fashion_mnist_paths(const CatalogConfig& config) {
  std::vector<std::string> paths;
  for (const std::string_view images : kFashionMnistImages) {
    const std::string path = config.fashion_mnist_dir + "/" + std::string(images);
    if (is_file(path + ".gz")) {
      paths.push_back(path + ".gz");
    } else if (is_file(path)) {
      paths.push_back(path);
    }
  }
  return paths.size() == kFashionMnistImages.size() ? paths : std::vector<std::string>();
}

Result<DataSource> locate_openml(std::string_view name, const CatalogConfig& config,
                                 const std::string& class_column) {
  Result<OpenmlSet> found = find_openml(name, config, class_column);
  if (!found.ok()) return found.error();
  OpenmlSet& set = found.value();
  return DataSource{.paths = {std::move(set.path)},
                    .format = &kArffFormat,
                    .class_column = std::move(set.class_column),
                    .ignored_columns = std::move(set.ignored_columns),
                    .origin = "openml:" + std::to_string(set.id) + ", " + set.name + ", version " +
                              std::to_string(set.version) +
                              (set.has_other_versions ? ", the first of several" : "")};
}

// Names that hold the text, a few, else the one with the fewest edits from it. Case does not count.
// What the cache holds is known by OpenML's name for it, and named by its id.
std::string suggestions(const std::string& name, const std::vector<CatalogEntry>& entries) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> known;
  std::string text;
  std::size_t count = 0;
  for (const CatalogEntry& entry : entries) {
    const bool is_cached = entry.name.starts_with(kOpenmlPrefix);
    known.push_back(lower_case(is_cached ? entry.note : entry.name));
    if (name.empty() || known.back().find(lower_case(name)) == std::string::npos) continue;
    if (++count <= kShown) text += (text.empty() ? "\"" : ", \"") + entry.name + "\"";
  }
  if (count > 0) return text;
  const std::vector<std::string_view> views(known.begin(), known.end());
  const auto found = std::find(views.begin(), views.end(), nearest(lower_case(name), views));
  return "\"" + entries[static_cast<std::size_t>(found - views.begin())].name + "\"";
}

Error unknown_name(const std::string& name, const CatalogConfig& config) {
  std::string text = "no data set is called \"" + name + "\"";
  const Result<std::vector<CatalogEntry>> entries = list_catalog(config);
  if (!entries.ok()) return Error{text + ": " + entries.error().message};
  if (!entries.value().empty()) {
    text += "; near to it: " + suggestions(name, entries.value());
  }
  text += config.data_dir.empty()
              ? "; there is no data folder, as neither --data-dir nor HANDRAIL_DATA names one"
              : "; looked in " + config.data_dir + " for " + name + join(endings_of_names(), ", ") +
                    ", plain, .gz and .zst";
  if (lower_case(name) == kFashionMnist) {
    text +=
        "; fashion-mnist comes with the Debian package dataset-fashion-mnist, which is not in " +
        config.fashion_mnist_dir;
  }
  return Error{text + "; openml:" + name + " would ask OpenML"};
}

std::vector<CatalogEntry> list_packages(const CatalogConfig& config) {
  CatalogEntry entry{.name = std::string(kFashionMnist),
                     .format = &kIdxFormat,
                     .place = "package",
                     .note = "dataset-fashion-mnist"};
  const std::vector<std::string> paths = fashion_mnist_paths(config);
  for (const std::string& path : paths) {
    std::error_code unknown;
    entry.bytes += std::filesystem::file_size(path, unknown);
  }
  return paths.empty() ? std::vector<CatalogEntry>() : std::vector{std::move(entry)};
}

std::vector<CatalogEntry> list_cache(const CatalogConfig& config) {
  std::vector<CatalogEntry> entries;
  if (config.cache_dir.empty()) return entries;
  const OpenmlCache cache(config.cache_dir);
  for (const OpenmlDescription& set : cache.sets()) {
    std::error_code unknown;
    entries.push_back({.name = std::string(kOpenmlPrefix) + std::to_string(set.id),
                       .format = &kArffFormat,
                       .bytes = std::filesystem::file_size(cache.rows_path(set.id), unknown),
                       .place = "cache",
                       .note = set.name + "@" + std::to_string(set.version)});
  }
  return entries;
}

}  // namespace

Result<DataSource> locate(const std::string& name, const CatalogConfig& config,
                          const std::string& class_column) {
  if (name.starts_with(kOpenmlPrefix)) {
    return locate_openml(std::string_view(name).substr(kOpenmlPrefix.size()), config, class_column);
  }
  DataSource source{.paths = {name}, .class_column = class_column, .origin = name};
  if (name == "-") {
    source.origin = "stdin";
    return source;
  }
  if (name.find('/') != std::string::npos || format_of_path(name) != nullptr || is_file(name)) {
    return source;
  }
  if (!config.data_dir.empty()) {
    const std::optional<std::string> path = find_in_folder(config.data_dir, name);
    if (path.has_value()) {
      source.paths = {*path};
      source.origin = *path;
      return source;
    }
  }
  source.paths = fashion_mnist_paths(config);
  if (name == kFashionMnist && !source.paths.empty()) {
    source.format = &kIdxFormat;
    source.origin = config.fashion_mnist_dir + ", of the Debian package dataset-fashion-mnist";
    return source;
  }
  return unknown_name(name, config);
}

Result<std::vector<CatalogEntry>> list_catalog(const CatalogConfig& config) {
  std::vector<CatalogEntry> entries;
  if (!config.data_dir.empty()) {
    Result<std::vector<CatalogEntry>> local = list_folder(config.data_dir);
    if (!local.ok()) return local;
    entries = std::move(local).value();
  }
  for (const std::vector<CatalogEntry>& more : {list_packages(config), list_cache(config)}) {
    entries.insert(entries.end(), more.begin(), more.end());
  }
  return entries;
}

}  // namespace handrail
