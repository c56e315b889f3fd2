// The door that an agent's settings come in by.
#pragma once

#include "handrail/agent/agent.h"

namespace handrail {

// Ok, or a sentence that names the value and its bound. What the SPEC says is looked at elsewhere.
Status check_settings(const AgentSettings& settings);

}  // namespace handrail
