// ARFF: a header that declares columns, then rows, dense or sparse.
#pragma once

#include "handrail/base/result.h"
#include "handrail/data/format_entry.h"
#include "handrail/data/line_reader.h"
#include "handrail/data/table_builder.h"

namespace handrail {

// What a sparse row leaves out is 0, and of a nominal column its first value. Whitespace parts
// cells as commas do, so names that hold a space stand in quotes.
extern const FormatEntry kArffFormat;

// The header alone, up to and with the line @data.
Status read_arff_header(LineReader& lines, TableBuilder& table);

}  // namespace handrail
