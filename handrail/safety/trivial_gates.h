// The two gates that need no bound: one always admits, one never does. Every comparison includes
// both.
#pragma once

#include "handrail/safety/entry.h"

namespace handrail {

extern const GateEntry kOpenGate;
extern const GateEntry kShutGate;

}  // namespace handrail
