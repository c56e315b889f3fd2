// The built-in worlds by name: what can be asked for, and how it is spelled.
#pragma once

#include <string>

#include "handrail/base/result.h"
#include "handrail/config/parameter_values.h"
#include "handrail/config/spec.h"
#include "handrail/env/world_entry.h"

namespace handrail {

// All of a world but its seed.
struct WorldConfig {
  const WorldEntry* entry = nullptr;
  ParameterValues values = {};  // resolved and checked
};

// Keys that the SPEC leaves out are at their defaults. An error names the place of the key that is
// to blame, or that of the SPEC's name where several are.
Result<WorldConfig> read_world(const Spec& spec);

// The SPEC with every key spelled out.
std::string to_spec(const WorldConfig& config);

}  // namespace handrail
