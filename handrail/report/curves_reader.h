// curves.csv as `handrail compare` writes it: a row for each round and quantity of a cell.
#pragma once

#include <vector>

#include "handrail/report/report_json.h"

namespace handrail {

// Every cell of `results` has its curves, and they all reach the same round; a row that belongs to
// no cell, or a file that ends too early, is refused with its line and column.
Result<std::vector<Curve>> read_curves(const NamedText& curves, const ComparisonResults& results);

}  // namespace handrail
