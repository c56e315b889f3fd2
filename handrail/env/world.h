// The built-in worlds: environments whose expected costs follow a formula, so that everything about
// them is known but to the agent.
#pragma once

#include <cstdint>
#include <memory>

#include "handrail/env/environment.h"
#include "handrail/env/world_spec.h"

namespace handrail {

// Every world tells its baseline's cost in this way.
inline constexpr BaselineKnown kKnownInWorlds = BaselineKnown::kPerRound;

std::unique_ptr<Environment> make_world(const WorldConfig& config, std::uint64_t seed);

}  // namespace handrail
