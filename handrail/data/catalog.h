// From the name of a data set to its files. Plain names are local, always: only "openml:" goes to
// the network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/catalog_config.h"
#include "handrail/data/data_source.h"

namespace handrail {

// In this order:
//   openml:ID, openml:NAME, openml:NAME@VERSION   OpenML; fetched if the cache has it not
//   -                                             stdin
//   a path                                        what has a slash or a known ending, or is a file
//   NAME                                          NAME with the ending of a format, plain, .gz or
//                                                 .zst, in the data folder
//   fashion-mnist                                 of the Debian package dataset-fashion-mnist
// Whether a path can be read is for the reader to find out. `class_column` is the caller's choice;
// the set's own if empty.
Result<DataSource> locate(const std::string& name, const CatalogConfig& config,
                          const std::string& class_column = {});

struct CatalogEntry {
  std::string name;  // by which locate() finds it
  const FormatEntry* format = nullptr;
  std::uint64_t bytes = 0;  // on disk
  std::string place = {};   // "data folder", "cache" or "package"
  std::string note = {};    // what else is known of it
};

// What can be named without the network: the data folder, the cache, packages. Fails if the data
// folder is named and cannot be read.
Result<std::vector<CatalogEntry>> list_catalog(const CatalogConfig& config);

}  // namespace handrail
