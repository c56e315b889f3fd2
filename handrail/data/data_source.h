// Files that together are one data set, and what is known of them before they are read.
#pragma once

#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/format_entry.h"
#include "handrail/data/table.h"

namespace handrail {

struct DataSource {
  std::vector<std::string> paths;       // with the same columns, one behind the other; "-" is stdin
  const FormatEntry* format = nullptr;  // null: by the paths' endings
  std::string class_column = {};        // the last if empty
  std::vector<std::string> ignored_columns = {};
  std::string origin = {};  // where it came from, for people
};

// The rows of all paths, in order. A format in `options` goes before the source's own.
Result<Table> read_source(const DataSource& source, ReadOptions options = {});

}  // namespace handrail
