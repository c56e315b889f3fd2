#include "handrail/data/catalog.h"
#include <cstdlib>
namespace handrail {
CatalogConfig catalog_config_from_environment() { const char* d = std::getenv("HANDRAIL_DATA"); return {.data_dir = d ? d : ""}; }
Result<DataSource> locate(std::string_view name, const CatalogConfig& config) {
  DataSource s; s.paths = {name.find('/') != name.npos ? std::string(name) : config.data_dir + "/" + std::string(name) + ".arff.gz"}; return s;
}
Result<Table> read_source(const DataSource& source, const ReadOptions& options) { return read_table(source.paths[0], options); }
}
