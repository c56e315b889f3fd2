// Every oracle there is, by name.
#pragma once

#include <span>

#include "handrail/config/trait.h"
#include "handrail/oracle/entry.h"

namespace handrail {

// In the order in which lists show them and in which a SPEC spells their common parameters.
std::span<const OracleEntry* const> oracles();

// The properties that lists show.
std::span<const Trait<OracleEntry>> oracle_traits();

}  // namespace handrail
