// One way in for every kind of file: ARFF, CSV, TSV, LIBSVM, IDX; plain, gzip or zstd; a path, or
// "-" for stdin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/table.h"

namespace handrail {

// kAuto: by the name's ending, a compression's ending aside: .arff, .csv, .tsv or .tab, .libsvm or
// .svm, .idx or -ubyte.
enum class TableFormat : std::uint8_t { kAuto, kArff, kCsv, kTsv, kLibsvm, kIdx };
// Of CSV and TSV. kAuto: the first line is a header if none of its cells is a number. Columns
// without names are called column1, column2 and so on.
enum class HeaderLine : std::uint8_t { kAuto, kPresent, kAbsent };

struct ReadOptions {
  TableFormat format = TableFormat::kAuto;
  HeaderLine header = HeaderLine::kAuto;
  // Columns of CSV and TSV whose cells are names even if they look like numbers: the class column
  // is one. An empty name stands for the last column.
  std::vector<std::string> nominal_columns = {};
  // Rows times columns. A sparse file of a few kilobytes may ask for any number of them; these are
  // 8 GiB of memory.
  std::uint64_t cell_limit = std::uint64_t{1} << 30;
};

// "arff", "csv", "tsv", "libsvm" or "idx".
Result<TableFormat> parse_table_format(std::string_view text);
std::string_view table_format_word(TableFormat format);  // the same words, and "auto"

// By the ending of the path, as kAuto does; none if it tells nothing.
std::optional<TableFormat> table_format_of(std::string_view path);

// Every row of the file, or an error that names file, line and column. IDX: `path` is the file of
// images; the labels lie beside it under the usual name and become the last column, "class".
Result<Table> read_table(const std::string& path, const ReadOptions& options = {});

}  // namespace handrail
