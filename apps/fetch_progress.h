// Shows the progress of a download while somebody watches.
#pragma once

#include <cstdint>
#include <cstdio>

#include "apps/terminal.h"
#include "handrail/data/catalog_config.h"

namespace handrail {

inline void print_fetch_progress(std::uint64_t received, std::uint64_t expected) {
  constexpr double kMegabyte = 1e6;
  std::fprintf(stderr, "\r\033[K%.1f MB", static_cast<double>(received) / kMegabyte);
  if (expected > 0) std::fprintf(stderr, " of %.1f", static_cast<double>(expected) / kMegabyte);
}

// What `work` gives for the catalog.
template <typename Work>
auto with_fetch_progress(bool quiet, CatalogConfig catalog, Work work) {
  const bool is_shown = watched(quiet);
  catalog.progress = is_shown ? print_fetch_progress : nullptr;
  auto result = work(catalog);
  if (is_shown) std::fprintf(stderr, "\r\033[K");
  return result;
}

}  // namespace handrail
