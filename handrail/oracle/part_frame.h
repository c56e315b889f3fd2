// A part is made from this: the agent's settings and the part's parameter values. Every entry's
// make() gets one.
#pragma once

#include <cstdint>

#include "handrail/config/parameter_values.h"
#include "handrail/core/arm_features.h"
#include "handrail/core/round.h"
#include "handrail/oracle/kernels/isa.h"

namespace handrail {

// Everything about an agent that its SPEC does not say.
struct AgentFrame {
  double alpha = 0.1;
  double reserve = 0.0;
  double delta = 0.05;
  std::uint64_t seed = 1;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;
  FeatureLayout layout = {};
  Isa isa = Isa::kPortable;
};

struct PartFrame : AgentFrame {
  PartFrame(const AgentFrame& agent, const ParameterValues& part_values)
      : AgentFrame(agent), values(part_values) {}

  // The part's own parameters and those that all agents have. They outlive the frame.
  const ParameterValues& values;
};

}  // namespace handrail
