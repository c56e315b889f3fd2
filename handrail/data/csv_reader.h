// CSV and TSV: rows of text from which the kinds of columns have to be guessed.
#pragma once

#include "handrail/data/format_entry.h"

namespace handrail {

// A column is numeric if all its cells are numbers, else nominal; empty cells, "?" and "NA" are
// missing, quoted or not. Kinds are taken from the first rows. When one of them turns out wrong
// further on, a file is read again; stdin cannot be, and the error says what to do.
Result<Table> read_csv(const std::string& path, char separator, const ReadOptions& options);

extern const FormatEntry kCsvFormat;
extern const FormatEntry kTsvFormat;

}  // namespace handrail
