// Every built-in world there is, by name.
#pragma once

#include <span>
#include <string_view>

#include "handrail/env/world_entry.h"

namespace handrail {

// In the order in which `handrail agents` shows them.
std::span<const WorldEntry* const> worlds();

// Null if none is called so.
const WorldEntry* find_world(std::string_view name);

}  // namespace handrail
