// Temporary: replaced by the catalog branch.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "handrail/data/read_table.h"
namespace handrail {
struct CatalogConfig { std::string data_dir; };
struct DataSource { std::vector<std::string> paths; TableFormat format = TableFormat::kAuto; std::string class_column; std::vector<std::string> ignored_columns; std::string origin; };
CatalogConfig catalog_config_from_environment();
Result<DataSource> locate(std::string_view name, const CatalogConfig& config);
Result<Table> read_source(const DataSource& source, const ReadOptions& options);
}
