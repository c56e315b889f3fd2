// A row of a table of parameters as lists show it: by itself, or with another default, such as that
// of an agent.
#pragma once

#include <string>
#include <string_view>

#include "handrail/base/json.h"
#include "handrail/config/parameter.h"

namespace handrail {

// Two lines: name, default and meaning; below the meaning what is expected.
std::string parameter_as_text(const ParameterSpec& row, std::string_view fallback);
std::string parameter_as_text(const ParameterSpec& row);

// {"name", "group", "default", "expected", "low", "high", "words", "meaning"}; a group, a range and
// words only if there are any.
void write_parameter(JsonWriter& json, const ParameterSpec& row, std::string_view fallback);
void write_parameter(JsonWriter& json, const ParameterSpec& row);

}  // namespace handrail
