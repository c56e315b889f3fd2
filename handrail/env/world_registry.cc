#include "handrail/env/world_registry.h"

#include <algorithm>
#include <array>

#include "handrail/env/armed_world.h"
#include "handrail/env/drifting_world.h"
#include "handrail/env/linear_world.h"
#include "handrail/env/misspecified_world.h"
#include "handrail/env/nonlinear_world.h"
#include "handrail/env/product_world.h"

namespace handrail {
namespace {

constexpr std::array kWorlds = {
    &kLinearWorld,        //
    &kNonlinearWorld,     //
    &kMisspecifiedWorld,  //
    &kDriftingWorld,      //
    &kArmedWorld,         //
    &kProductWorld,       //
};

}  // namespace

std::span<const WorldEntry* const> worlds() {
  return kWorlds;
}

const WorldEntry* find_world(std::string_view name) {
  const auto found = std::ranges::find(kWorlds, name, &WorldEntry::name);
  return found == kWorlds.end() ? nullptr : *found;
}

}  // namespace handrail
