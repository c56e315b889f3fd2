// The linear world until a round after which every arm but the baseline's costs 1.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

extern const WorldEntry kDriftingWorld;

}  // namespace handrail
