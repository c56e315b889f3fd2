// The file of an OpenML set: in the cache, or fetched into it, and whole either way.
#pragma once

#include <string>

#include "handrail/base/result.h"
#include "handrail/data/catalog_config.h"
#include "handrail/data/openml_answer.h"
#include "handrail/data/openml_cache.h"

namespace handrail {

// Its path. What is in the cache is checked as well as what was fetched: a file that is kept for
// ever has time to suffer. One that is damaged is fetched anew. Nothing is kept that does not have
// the MD5 of the description.
Result<std::string> find_openml_rows(const OpenmlDescription& description, const OpenmlCache& cache,
                                     const CatalogConfig& config);

// How an error says that the cache is all there is, and not enough.
Error not_in_cache(const OpenmlCache& cache);

}  // namespace handrail
