// The agents by name: combinations of parts that deserve one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/spec.h"

namespace handrail {

struct Preset {
  std::string_view name;
  std::string_view meaning;
  std::string settings;  // the keys in which it differs from the rows' fallbacks: "a=b,c=d"
};

std::span<const Preset> presets();

// The agent where nothing else is said.
inline constexpr std::string_view kDefaultAgent = "c-squarecb";

// What NAME@paper is called: NAME with the choices of the paper throughout.
inline constexpr std::string_view kPaperSuffix = "@paper";

// The keys that the name of a SPEC stands for, those of the paper's choices included.
Result<std::vector<Setting>> keys_of_preset(const Spec& spec);

}  // namespace handrail
