// The built-in worlds: environments whose expected costs follow a formula, so that everything about
// them is known but to the agent.
#pragma once

#include <memory>

#include "handrail/env/environment.h"
#include "handrail/env/world_spec.h"

namespace handrail {

// `config` is one that check_world() accepts. The baseline's expected cost is known in every round.
std::unique_ptr<Environment> make_world(const WorldConfig& config);

}  // namespace handrail
