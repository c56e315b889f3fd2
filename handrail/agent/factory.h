// From a configuration to the parts it names.
#pragma once

#include <memory>

#include "handrail/agent/agent.h"
#include "handrail/agent/config.h"
#include "handrail/safety/certified_gate.h"

namespace handrail {

AgentFrame frame_of(const AgentSettings& settings, Isa isa);

std::unique_ptr<Policy> make_policy(const AgentConfig& config, const AgentFrame& frame);
std::unique_ptr<Gate> make_gate(const AgentConfig& config, const AgentFrame& frame);

// Which rounds the configured gate charges.
Members members_of(const AgentConfig& config, const AgentFrame& frame);

// Whether the parts would be sound; asked before they are made.
Status check_parts(const AgentConfig& config, const AgentFrame& frame);

}  // namespace handrail
