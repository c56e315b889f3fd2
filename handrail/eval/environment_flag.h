// Flags that stand for a key of the environment's SPEC, whichever kind of environment that is.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/setting.h"
#include "handrail/env/environment.h"

namespace handrail {

// The meaning of a flag for one kind of environment.
struct FlagMeaning {
  std::string_view key = {};     // of the SPEC; empty: such environments have none for it
  std::string_view prefix = {};  // the flag's value begins with it, the key's has it not
  bool takes_commas = false;     // parts a list with commas, where the SPEC has |
  std::string_view only = {};    // without a key: the one value that is true of them all
};

struct EnvironmentFlag {
  std::string_view name;
  std::string_view help;  // with its default
  FlagMeaning of_worlds;
  FlagMeaning of_data;

  const FlagMeaning& meaning(EnvironmentKind kind) const {
    return kind == EnvironmentKind::kWorld ? of_worlds : of_data;
  }
};

std::span<const EnvironmentFlag> environment_flags();
// Null if no flag is called so.
const EnvironmentFlag* find_environment_flag(std::string_view name);
// `keys` and the flags' names, for a list of all that can be set.
std::vector<std::string_view> with_environment_flags(std::span<const std::string_view> keys);

// The flag as a setting of the SPEC's key, at the flag's place; nothing if it only repeats what is
// true of all environments of the kind.
Result<std::optional<Setting>> key_of_flag(const Setting& flag, EnvironmentKind kind);

}  // namespace handrail
