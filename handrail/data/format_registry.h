// Every data format there is, by name and by ending.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "handrail/data/format_entry.h"

namespace handrail {

// Where a name in the data folder has several files, the one of the first format is meant.
std::span<const FormatEntry* const> formats();

// Null if none is called so.
const FormatEntry* find_format(std::string_view name);
// By the ending of the path, that of a compression aside; null if it tells nothing.
const FormatEntry* format_of_path(std::string_view path);

std::vector<std::string_view> format_names();

// The format's name, or "auto" for null: the one that a path's ending tells.
std::string_view name_of(const FormatEntry* format);
inline constexpr std::string_view kFormatByEnding = "auto";

}  // namespace handrail
