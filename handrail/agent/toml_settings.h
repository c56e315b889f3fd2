// A TOML file as a flat list of settings, in the order of the file. Nested tables become dotted
// keys; a list becomes as many settings as it has elements, each under the key followed by "[]", so
// that who expects one value cannot take the last of several for it.
#pragma once

#include <string>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

// One setting, wherever it was made: on a command line or in a file.
struct Setting {
  std::string key;
  std::string value;
  std::string place;  // "run.toml:3:9", or the flag; for errors
};

// `-` is the standard input.
Result<std::vector<Setting>> read_toml(const std::string& path);

}  // namespace handrail
