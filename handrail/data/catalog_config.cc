#include "handrail/data/catalog_config.h"

#include <cstdlib>

namespace handrail {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string cache_from_environment() {
  std::string own = variable("HANDRAIL_CACHE");
  if (!own.empty()) return own;
  const std::string caches = variable("XDG_CACHE_HOME");
  // The standard that names this variable says that a relative path in it counts for nothing.
  if (caches.starts_with('/')) return caches + "/handrail";
  const std::string home = variable("HOME");
  return home.empty() ? std::string() : home + "/.cache/handrail";
}

}  // namespace

CatalogConfig catalog_config_from_environment() {
  CatalogConfig config{.data_dir = variable("HANDRAIL_DATA"),
                       .cache_dir = cache_from_environment()};
  const std::string address = variable("HANDRAIL_OPENML");
  if (!address.empty()) config.openml_address = address;
  return config;
}

}  // namespace handrail
