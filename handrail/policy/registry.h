// Every policy there is, by name.
#pragma once

#include <span>
#include <string_view>

#include "handrail/policy/entry.h"

namespace handrail {

// In the order in which `handrail agents` shows them.
std::span<const PolicyEntry* const> policies();

// Null if none is called so.
const PolicyEntry* find_policy(std::string_view name);

}  // namespace handrail
