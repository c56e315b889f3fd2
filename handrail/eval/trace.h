// The trace: one JSON object a line, a header and then one line a round, from which anybody can
// recompute every verdict and propensity. The field names are stable; ARCHITECTURE.md lists them.
#pragma once

#include <string>

#include "handrail/eval/run.h"

namespace handrail {

struct TraceOptions {
  bool features = false;  // add the played arm's features to each round
};

// The header line of a run that has `run.rounds()` rounds behind it.
std::string trace_header(const Run& run);
// The line of the round that was played last.
std::string trace_line(const RoundRecord& record, const TraceOptions& options);

}  // namespace handrail
