// The version of this library, as the build names it.
#pragma once

#include <string_view>

namespace handrail {

std::string_view version();  // "0.1.0"

}  // namespace handrail
