// OpenML's data sets by name: asks what a set is, refuses what cannot be learnt from before it is
// fetched, fetches the rest once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/catalog_config.h"

namespace handrail {

struct OpenmlSet {
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t version = 0;
  bool has_other_versions = false;  // active ones, and none was asked for
  std::string path;                 // of its rows, in ARFF
  std::string md5;                  // of its rows, unpacked
  std::string class_column;
  std::vector<std::string> ignored_columns;
};

// `name` is an id, NAME or NAME@VERSION; case does not matter. Of several active versions NAME is
// the first: later ones are often other problems made from the same rows, such as one class against
// all others, and whoever wants one has to say so. What a NAME was once found to mean it means as
// long as the cache is kept.
//
// `class_column` is the caller's choice; the set's own if empty. Errors begin with "openml:NAME".
Result<OpenmlSet> find_openml(std::string_view name, const CatalogConfig& config,
                              std::string_view class_column = {});

}  // namespace handrail
