// ARFF: a header that declares columns, then rows, dense or sparse.
#pragma once

#include "handrail/base/result.h"
#include "handrail/data/format_entry.h"
#include "handrail/data/line_reader.h"
#include "handrail/data/table_builder.h"

namespace handrail {

// A cell that a sparse row leaves out is 0, or the first value of a nominal column. Whitespace
// separates cells as commas do, so names that hold a space stand in quotes.
extern const FormatEntry kArffFormat;

// The header alone, up to and with the line @data.
Status read_arff_header(LineReader& lines, TableBuilder& table);

}  // namespace handrail
