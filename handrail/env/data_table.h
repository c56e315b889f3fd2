// From what a SPEC names to cells: the one way in which runs and descriptions of a data set locate
// and read it, so that what is described is what is played.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/catalog.h"
#include "handrail/data/table.h"
#include "handrail/env/data_spec.h"

namespace handrail {

struct DataTable {
  DataSource source;
  DataConfig config;  // with what the source says of the class and of columns to ignore
  Table table;
};

Result<DataTable> load_data(const DataConfig& config, const CatalogConfig& catalog);

// CSV and LIBSVM do not say what is a class. Whole numbers may be names of classes; 0.5 and 1.5 are
// measurements, and each would become an arm: refused.
Status check_class_names(const DataTable& data);

// The columns by their roles. Those with a role of their own are no features.
struct ColumnRoles {
  std::optional<std::size_t> class_column = std::nullopt;
  std::vector<std::size_t> cost_columns = {};
  std::vector<std::size_t> ignored = {};
  std::optional<std::size_t> baseline = std::nullopt;
  std::vector<std::size_t> features = {};
};

// Refuses columns that are not there, and a class of numbers.
Result<ColumnRoles> roles_of_columns(const Table& table, const DataConfig& config);

}  // namespace handrail
