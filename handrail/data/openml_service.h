// Asks OpenML, and asks again when the network or the server was in a bad way.
#pragma once

#include <optional>
#include <string>

#include "handrail/base/result.h"
#include "handrail/data/catalog_config.h"

namespace handrail {

// What stands behind an address; none if OpenML says that there is no such thing. Network failures,
// 429 and 5xx are tried again, a few times, each after twice the wait of the last. Errors begin
// with the address.
Result<std::optional<std::string>> ask_openml(const std::string& address,
                                              const CatalogConfig& config);

}  // namespace handrail
