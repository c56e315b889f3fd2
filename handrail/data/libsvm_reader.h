// LIBSVM: one row a line, `label index:value index:value …`, indexes from 1.
#pragma once

#include <cstdint>

#include "handrail/base/result.h"
#include "handrail/data/line_reader.h"
#include "handrail/data/table.h"

namespace handrail {

// Columns "feature1" to the largest index, 0 where a row has none of them, and "class" last, whose
// values are the labels as they come. Errors name file, line and column.
Result<Table> read_libsvm(LineReader& lines, std::uint64_t cell_limit);

}  // namespace handrail
