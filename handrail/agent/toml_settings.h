// A TOML file as a flat list of settings, in the order of the file. Nested tables become dotted
// keys; a list becomes as many settings as it has elements, each under the key with kListMark.
#pragma once

#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/setting.h"

namespace handrail {

// `-` is the standard input.
Result<std::vector<Setting>> read_toml(const std::string& path);

}  // namespace handrail
