// One way in for every kind of file, plain, gzip or zstd: a path, or "-" for stdin.
#pragma once

#include <string>

#include "handrail/base/result.h"
#include "handrail/data/format_entry.h"
#include "handrail/data/table.h"

namespace handrail {

// Every row of the file, or an error that names file, line and column.
Result<Table> read_table(const std::string& path, const ReadOptions& options = {});

}  // namespace handrail
