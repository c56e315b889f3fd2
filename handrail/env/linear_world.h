// Costs that a linear model explains: ½ + ½⟨a, x⟩ with a unit vector a of the seed.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

extern const WorldEntry kLinearWorld;

}  // namespace handrail
