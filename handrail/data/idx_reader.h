// IDX, the format of MNIST: a small header, then numbers of one type, high byte first.
#pragma once

#include "handrail/data/format_entry.h"

namespace handrail {

// The path is that of the file of images, whose first size is the number of rows; the other sizes
// multiplied are the columns "pixel1" and so on. The labels lie beside it in a file of the same
// name but with "labels" for "images" and "idx1" for "idx3"; they become the last column, "class",
// with values in ascending order.
extern const FormatEntry kIdxFormat;

}  // namespace handrail
