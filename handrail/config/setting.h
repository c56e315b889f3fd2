// One thing that a user has set, wherever that was, and what can be wrong with it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

struct Setting {
  std::string key;
  std::string value;
  std::string place = {};  // "run.toml:3:9", or the flag; for errors
};

// "PLACE: message"; the message alone where nobody set anything.
Error error_at(const Setting& setting, std::string_view message);
// "PLACE: KEY is "VALUE"; WHAT was expected".
Error expected(const Setting& setting, std::string_view what);
// For a key that is not among `known`, which is not empty: names the nearest.
Error unknown_key(const Setting& setting, std::span<const std::string_view> known);

// Files may hold lists, whose elements come as settings of their own under the key with this behind
// it, so that who expects one value cannot take the last of several for it.
inline constexpr std::string_view kListMark = "[]";
// Refuses an element of a list.
Status expect_single(const Setting& setting);

}  // namespace handrail
