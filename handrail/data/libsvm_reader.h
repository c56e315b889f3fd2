// LIBSVM: one row a line, `label index:value index:value …`, indexes from 1.
#pragma once

#include "handrail/data/format_entry.h"

namespace handrail {

// Columns "feature1" to the largest index, 0 where a row has none of them, and "class" last, whose
// values are the labels as they come.
extern const FormatEntry kLibsvmFormat;

}  // namespace handrail
