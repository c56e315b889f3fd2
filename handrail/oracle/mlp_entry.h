// The network oracle's entry: its parameters, and the configuration that they make.
#pragma once

#include "handrail/oracle/entry.h"
#include "handrail/oracle/mlp_config.h"

namespace handrail {

extern const OracleEntry kMlpOracle;

MlpConfig network_in(const PartFrame& frame);
// For policies with networks of their own that leave this one choice to the user.
Precision precision_in(const ParameterValues& values);

// The step size lr=auto of a network with this optimizer and loss.
double step_of_network(const ParameterValues& values);

}  // namespace handrail
