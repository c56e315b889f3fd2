// Data sets as environments, by name: what can be asked for, and how it is spelled.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/parameter_values.h"
#include "handrail/config/spec.h"
#include "handrail/core/round.h"
#include "handrail/data/encoding.h"
#include "handrail/data/format_entry.h"
#include "handrail/env/delay.h"
#include "handrail/env/noise.h"

namespace handrail {

// How a baseline that follows a column is spelled, before the column's name.
inline constexpr std::string_view kColumnBaseline = "column:";

// A SPEC with each key as a value of its type. Made by read_data() alone, so that it agrees
// with `values`; the meaning and the default of a key are in its row.
struct DataConfig {
  std::string name;  // a path, or what the catalog calls the data set
  ParameterValues values = {};

  const FormatEntry* format = nullptr;  // null: by the name's ending
  HeaderLine header = HeaderLine::kAuto;
  // These two may become more than the SPEC says: what the source says stands behind it.
  std::string class_column = {};
  std::vector<std::string> ignored_columns = {};
  std::vector<std::string> cost_columns = {};  // one an arm; then there is no class column
  double cost_max = 0.0;

  EncodingConfig encoding = {};
  bool shuffle = false;

  double low = 0.0;   // cost of the right class
  double high = 0.0;  // cost of any other
  std::string baseline = {};
  BaselineKnown baseline_known = BaselineKnown::kMean;
  Noise noise = {};
  Delay delay = {};

  bool has_classes() const { return cost_columns.empty(); }
  // Whether the baseline plays what a column says, and which.
  bool follows_column() const { return baseline.starts_with(kColumnBaseline); }
  std::string followed_column() const { return baseline.substr(kColumnBaseline.size()); }
};

// The keys of a data SPEC, in the order in which one spells them out. Rows of a group are for data
// sets with classes or with cost columns alone.
std::span<const ParameterSpec> data_rows();

// Keys that the SPEC leaves out are at their defaults. An error names the place of the key that is
// to blame, or that of the SPEC's name where several are.
Result<DataConfig> read_data(const Spec& spec);

// The SPEC with every key that applies spelled out.
std::string to_spec(const DataConfig& config);

}  // namespace handrail
