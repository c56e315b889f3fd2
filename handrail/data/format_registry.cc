#include "handrail/data/format_registry.h"

#include <algorithm>
#include <array>

#include "handrail/data/arff_reader.h"
#include "handrail/data/csv_reader.h"
#include "handrail/data/idx_reader.h"
#include "handrail/data/libsvm_reader.h"

namespace handrail {
namespace {

constexpr std::array kFormats = {
    &kArffFormat,    //
    &kCsvFormat,     //
    &kTsvFormat,     //
    &kLibsvmFormat,  //
    &kIdxFormat,     //
};

std::string_view without_packing(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst", ".zstd"}) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

}  // namespace

std::span<const FormatEntry* const> formats() {
  return kFormats;
}

const FormatEntry* find_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &FormatEntry::name);
  return found == kFormats.end() ? nullptr : *found;
}

const FormatEntry* format_of_path(std::string_view path) {
  const std::string_view plain = without_packing(path);
  const auto tells = [&](const FormatEnding& ending) { return plain.ends_with(ending.text); };
  for (const FormatEntry* const format : kFormats) {
    if (std::ranges::any_of(format->endings, tells)) return format;
  }
  return nullptr;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const FormatEntry* const format : kFormats) names.push_back(format->name);
  return names;
}

std::string_view name_of(const FormatEntry* format) {
  return format == nullptr ? kFormatByEnding : format->name;
}

}  // namespace handrail
