// Every policy there is, by name.
#pragma once

#include <span>
#include <string_view>

#include "handrail/config/trait.h"
#include "handrail/policy/entry.h"

namespace handrail {

// In the order in which lists show them and in which a SPEC spells their common parameters.
std::span<const PolicyEntry* const> policies();

// Null if none is called so.
const PolicyEntry* find_policy(std::string_view name);

// The properties that lists show.
std::span<const Trait<PolicyEntry>> policy_traits();

}  // namespace handrail
