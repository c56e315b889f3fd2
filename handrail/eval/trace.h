// The trace: one JSON object a line, a header and then one line a round (eval/trace_round.h), from
// which anybody can recompute every verdict and propensity. The field names are stable;
// docs/reference/trace.md lists them.
#pragma once

#include <string>

#include "handrail/eval/run.h"

namespace handrail {

// The header line of a run that has `run.rounds()` rounds behind it.
std::string trace_header(const Run& run);

}  // namespace handrail
