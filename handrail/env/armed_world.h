// No context: every round is the same but for its luck.
#pragma once

#include "handrail/env/world_entry.h"

namespace handrail {

extern const WorldEntry kArmedWorld;

}  // namespace handrail
