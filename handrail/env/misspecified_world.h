// The linear world with two liars: arms 0 and 1 look like the best of the others, and are the
// worst.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

extern const WorldEntry kMisspecifiedWorld;

}  // namespace handrail
