// From a resolved configuration to the parts it names. Nothing else in the library knows all of
// them.
#pragma once

#include <memory>

#include "handrail/agent/agent.h"
#include "handrail/agent/config.h"
#include "handrail/oracle/kernels/isa.h"

namespace handrail {

// What a configuration does not say: for whom the parts are made.
struct AgentFrame {
  double alpha = 0.1;
  double reserve = 0.0;
  double delta = 0.05;
  std::uint64_t seed = 1;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;
  FeatureLayout layout;
  Isa isa = Isa::kPortable;
};

AgentFrame frame_of(const AgentSettings& settings, Isa isa);

// The parameters that policies share.
PolicySettings settings_of(const AgentConfig& config, const AgentFrame& frame);

std::unique_ptr<Policy> make_policy(const AgentConfig& config, const AgentFrame& frame);
Gate make_gate(const AgentConfig& config, const AgentFrame& frame);

// Which rounds the configured gate charges.
Members members_of(const AgentConfig& config, BaselineKnown baseline_known);

// Whether the parts would be sound; asked before they are made.
Status check_parts(const AgentConfig& config, const AgentFrame& frame);

}  // namespace handrail
