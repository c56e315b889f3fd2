// The door that an agent's settings come in by, and those that a trace states.
#pragma once

#include "handrail/agent/agent.h"
#include "handrail/config/parameter.h"

namespace handrail {

// Their bounds, meanings and defaults; those of AgentSettings are the same, as a test sees.
extern const ParameterSpec kAlphaRow;
extern const ParameterSpec kDeltaRow;
extern const ParameterSpec kReserveRow;

// What is promised: Σ costs ≤ (1 + alpha) Σ baseline costs + reserve, but for a chance of delta.
struct SafetyTerms {
  double alpha = 0.0;
  double delta = 0.0;
  double reserve = 0.0;
};
// Ok, or a sentence that names the value and its bound.
Status check_terms(const SafetyTerms& terms);

// Ok, or a sentence that names the value and its bound. What the SPEC says is looked at elsewhere.
Status check_settings(const AgentSettings& settings);

}  // namespace handrail
