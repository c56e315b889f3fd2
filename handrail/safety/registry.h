// Every gate there is, by name.
#pragma once

#include <span>
#include <string_view>

#include "handrail/config/trait.h"
#include "handrail/safety/entry.h"

namespace handrail {

// In the order in which lists show them and in which a SPEC spells their common parameters.
std::span<const GateEntry* const> gates();

// Null if none is called so.
const GateEntry* find_gate(std::string_view name);

// The properties that lists show.
std::span<const Trait<GateTraits>> gate_traits();

}  // namespace handrail
