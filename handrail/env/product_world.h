// A world of very many arms: each is one choice in every factor, and nobody goes over all of them,
// the world included.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

// In every round each choice shows its own x_f, uniform on the unit sphere, and an arm the row
// x = (x_1, …, x_F)/√F of its choices; the learner sees (x, 1)/√2, where the constant is a factor
// of one choice. With s = ½ + ½⟨a, x⟩ the expected cost is s, or with curve=square s². Both grow
// with s, a sum over factors: so the cheapest arm is that of the cheapest choices, and the
// baseline's arm has in every factor the choice of rank `rank` by its part of the sum.
extern const WorldEntry kProductWorld;

}  // namespace handrail
