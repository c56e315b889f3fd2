// Data sets as environments, by name: what can be asked for, and how it is spelled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/json.h"
#include "handrail/base/result.h"
#include "handrail/core/round.h"
#include "handrail/data/encoding.h"
#include "handrail/data/read_table.h"
#include "handrail/env/delay.h"
#include "handrail/env/noise.h"

namespace handrail {

struct DataConfig {
  std::string name;  // a path, or what the catalog calls the data set

  TableFormat format = TableFormat::kAuto;
  HeaderLine header = HeaderLine::kAuto;
  std::string class_column = {};  // empty: what the source says, else the last column
  std::vector<std::string> ignored_columns = {};
  // One column an arm that holds what the arm costs in each row, from 0 to cost_max; then there is
  // no class column.
  std::vector<std::string> cost_columns = {};
  double cost_max = 1.0;

  EncodingConfig encoding = {};
  bool shuffle = true;  // a new order in every pass over the rows; otherwise always the file's

  double low = 0.01;  // cost of the right class
  double high = 1.0;  // cost of any other
  // majority, minority, an arm by INDEX or NAME, trained:N or column:NAME.
  std::string baseline = "majority";
  BaselineKnown baseline_known = BaselineKnown::kMean;
  Noise noise = {};
  Delay delay = {};
};

// How a baseline that follows a column is spelled, before the column's name.
inline constexpr std::string_view kColumnBaseline = "column:";

// Reads NAME[:key=value,…]. The name ends at the first colon that lower-case letters and a '='
// follow, so that a name may hold colons. What the spec leaves out is as in `defaults`.
Result<DataConfig> parse_data_spec(std::string_view spec, const DataConfig& defaults = {});

// Where the keys of a data SPEC begin: the position of the colon, or npos.
std::size_t keys_of_data_spec(std::string_view spec);

// The spec with every key that applies spelled out.
std::string to_spec(const DataConfig& config);

Result<BaselineKnown> parse_baseline_known(std::string_view text);
std::string_view to_text(BaselineKnown known);

// The keys with their defaults and meaning: as lines of text, and as an array
// [{"name", "default", "meaning"}].
std::string data_keys_as_text();
void write_data_keys(JsonWriter& json);

}  // namespace handrail
