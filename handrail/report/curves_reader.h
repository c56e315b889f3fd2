// curves.csv as `handrail compare` writes it: a row for each round and quantity of a cell.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "handrail/report/report_json.h"

namespace handrail {

// One quantity of one cell over the rounds. A value that is not known is NaN.
struct Curve {
  ComparisonCell cell;
  std::string_view quantity;  // of a list that lives as long as the program
  std::vector<double> rounds;
  std::vector<double> mean;
  std::vector<double> stderr_of_mean;
  std::vector<double> q05;
  std::vector<double> q95;
};

// Every cell of `results` has its curves, and they all reach the same round; a row that belongs to
// no cell, or a file that ends too early, is refused with its line and column.
Result<std::vector<Curve>> read_curves(const NamedText& curves, const ComparisonResults& results);

}  // namespace handrail
