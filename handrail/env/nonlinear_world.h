// Costs that no linear model explains, of three shapes over the contexts of the linear world.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

extern const WorldEntry kNonlinearWorld;

}  // namespace handrail
