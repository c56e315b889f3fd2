#include "handrail/data/read_table.h"

#include <algorithm>
#include <array>

#include "handrail/base/text.h"
#include "handrail/data/arff_reader.h"
#include "handrail/data/byte_source.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/csv_reader.h"
#include "handrail/data/idx_reader.h"
#include "handrail/data/libsvm_reader.h"
#include "handrail/data/line_reader.h"

namespace handrail {
namespace {

struct Spelling {
  std::string_view text;
  TableFormat format;
};

constexpr std::string_view kWords = "arff, csv, tsv, libsvm or idx";
constexpr std::array<Spelling, 5> kFormats = {{{"arff", TableFormat::kArff},
                                               {"csv", TableFormat::kCsv},
                                               {"tsv", TableFormat::kTsv},
                                               {"libsvm", TableFormat::kLibsvm},
                                               {"idx", TableFormat::kIdx}}};
constexpr std::array<Spelling, 8> kEndings = {{{".arff", TableFormat::kArff},
                                               {".csv", TableFormat::kCsv},
                                               {".tsv", TableFormat::kTsv},
                                               {".tab", TableFormat::kTsv},
                                               {".libsvm", TableFormat::kLibsvm},
                                               {".svm", TableFormat::kLibsvm},
                                               {".idx", TableFormat::kIdx},
                                               {"-ubyte", TableFormat::kIdx}}};

std::string_view without_packing(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst", ".zstd"}) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

Result<TableFormat> format_of(const std::string& path) {
  if (path == "-") {
    return Error{"stdin has no name that would tell its format; name one: " + std::string(kWords)};
  }
  const std::optional<TableFormat> format = table_format_of(path);
  if (format.has_value()) return *format;
  return Error{path + ": its name does not tell its format; name one: " + std::string(kWords)};
}

Result<Table> read_lines(const std::string& path, const ReadOptions& options,
                         Result<Table> (*reader)(LineReader&, std::uint64_t)) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source.ok()) return source.error();
  LineReader lines(std::move(source).value(), source_name(path));
  return reader(lines, options.cell_limit);
}

}  // namespace

Result<TableFormat> parse_table_format(std::string_view text) {
  for (const auto& [word, format] : kFormats) {
    if (text == word) return format;
  }
  return Error{"format " + shown(text) + " is none of " + std::string(kWords)};
}

std::string_view table_format_word(TableFormat format) {
  const auto* found =
      std::find_if(kFormats.begin(), kFormats.end(),
                   [format](const Spelling& each) { return each.format == format; });
  return found == kFormats.end() ? "auto" : found->text;
}

std::optional<TableFormat> table_format_of(std::string_view path) {
  for (const auto& [ending, format] : kEndings) {
    if (without_packing(path).ends_with(ending)) return format;
  }
  return std::nullopt;
}

Result<Table> read_table(const std::string& path, const ReadOptions& options) {
  Result<TableFormat> format = options.format;
  if (options.format == TableFormat::kAuto) format = format_of(path);
  if (!format.ok()) return format.error();
  switch (format.value()) {
    case TableFormat::kCsv:
      return read_csv(path, ',', options);
    case TableFormat::kTsv:
      return read_csv(path, '\t', options);
    case TableFormat::kIdx:
      return read_idx(path, options.cell_limit);
    case TableFormat::kArff:
      return read_lines(path, options, read_arff);
    case TableFormat::kLibsvm:
    case TableFormat::kAuto:  // replaced above
      break;
  }
  return read_lines(path, options, read_libsvm);
}

}  // namespace handrail
