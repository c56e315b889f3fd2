// All that the rest of the program may know of a data format, whichever it is. Every format
// has one entry, in its reader's source; data/format_registry.cc lists them all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/table.h"

namespace handrail {

struct FormatEntry;

// Of CSV and TSV. kAuto: the first line is a header if none of its cells is a number. Columns
// without names are called column1, column2 and so on.
enum class HeaderLine : std::uint8_t { kAuto, kPresent, kAbsent };

struct ReadOptions {
  const FormatEntry* format = nullptr;  // null: by the ending of the path
  HeaderLine header = HeaderLine::kAuto;
  // Columns of CSV and TSV whose cells are names even if they look like numbers: the class column
  // is one. An empty name stands for the last column.
  std::vector<std::string> nominal_columns = {};
  // Rows times columns. A sparse file of a few kilobytes may ask for any number of them; these are
  // 8 GiB of memory.
  std::uint64_t cell_limit = std::uint64_t{1} << 30;
};

struct FormatEnding {
  std::string_view text;
  // Whether a file of the data folder goes by its name without this ending.
  bool ends_names = true;
};

struct FormatEntry {
  std::string_view name;
  std::string_view meaning;  // a line of `handrail agents`
  // Tell a file's format; one of a compression may stand behind them. No format has another's.
  std::span<const FormatEnding> endings = {};
  // Files say which columns hold names. Elsewhere numbers may be measurements or names of classes.
  bool declares_classes = false;

  // Every row of the file, or an error that names file, line and column. `path` may be "-", stdin.
  Result<Table> (*read)(const std::string& path, const ReadOptions& options) = nullptr;
};

}  // namespace handrail
