// Where data sets are looked for, and how the network may be used for it.
#pragma once

#include <chrono>
#include <string>

#include "handrail/data/http.h"

namespace handrail {

inline constexpr const char* kPublicOpenml = "https://www.openml.org";

struct CatalogConfig {
  std::string data_dir = {};   // a local mirror, NAME.arff.gz and the like; none if empty
  std::string cache_dir = {};  // where OpenML's files are kept; none if empty
  std::string openml_address = kPublicOpenml;  // http or https, without a slash at the end
  bool offline = false;  // then OpenML's sets come from the cache or not at all
  // Where the Debian package dataset-fashion-mnist puts its files.
  std::string fashion_mnist_dir = "/usr/share/datasets/fashion-mnist";
  std::chrono::milliseconds retry_wait = std::chrono::milliseconds(500);  // the first; then doubled
  HttpLimits http = {};
  HttpProgress progress = nullptr;  // of downloads
};

// HANDRAIL_DATA, HANDRAIL_CACHE and HANDRAIL_OPENML, where they are set and not empty. Without
// HANDRAIL_CACHE the cache is $XDG_CACHE_HOME/handrail, else $HOME/.cache/handrail.
CatalogConfig catalog_config_from_environment();

}  // namespace handrail
