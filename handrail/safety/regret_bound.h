// The parameter that says how much regret the oracle is trusted to have: the Reg of gates that
// trust a model, and of the paper's schedules of γ.
#pragma once

#include <optional>

#include "handrail/config/parameter_values.h"

namespace handrail {

extern const ParameterSpec kRegretBoundRow;

// Nothing if it is auto: the oracle's own promise, else 1.
std::optional<double> given_regret_bound(const ParameterValues& values);

}  // namespace handrail
