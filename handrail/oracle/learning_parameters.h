// Parameters shared by oracles that minimise a loss in steps.
#pragma once

#include "handrail/config/parameter_values.h"
#include "handrail/oracle/entry.h"

namespace handrail {

extern const ParameterSpec kLossRow;
extern const ParameterSpec kStepRow;

// Settles what is auto, and refuses a loss that the oracle does not minimise.
Status settle_learning(const OracleEntry& oracle, ParameterValues& values);

// For settled values only.
Loss loss_in(const ParameterValues& values);
double step_in(const ParameterValues& values);

}  // namespace handrail
