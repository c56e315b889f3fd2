// Numbers and names as text, for configuration, traces and error messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handrail {

// The shortest text that reads back as the same double. "inf", "-inf" and "nan" for the rest.
std::string to_text(double value);

// The whole text as a number; nothing for anything else ("1x", "", " 1"). Reads "inf" and "nan"
// too: whether those are allowed is the caller's to say.
std::optional<double> to_number(std::string_view text);
std::optional<std::uint64_t> to_count(std::string_view text);

// "text", in quotes.
std::string quoted(std::string_view text);

// The parts with the separator between them.
std::string join(std::span<const std::string_view> parts, std::string_view separator);
std::string join(std::span<const std::string> parts, std::string_view separator);

// What an error shows of a value of any length: all of it, or its beginning and three dots.
std::string shortened(std::string_view text);

// Whether bytes are text in UTF-8.
bool is_utf8(std::string_view bytes);

// The pieces between separators: "a,b" gives "a" and "b", "" gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

// The letters A to Z made small; everything else as it is.
std::string lower_case(std::string_view text);

// The known name with the fewest edits from `name`: what a typing error most likely meant. `known`
// is not empty.
std::string_view nearest(std::string_view name, std::span<const std::string_view> known);

}  // namespace handrail
