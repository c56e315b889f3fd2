// The text of one cell: which number it is, and how an error shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

// A number at the beginning of a text, and where it ends; at the beginning if there is none.
struct NumberScan {
  double value;
  const char* end;
};

// Decimal numbers, "1e-5", a sign of either kind; nothing that is not finite.
NumberScan scan_any_number(const char* begin, const char* end);

// The same, with a short way for the counts and pixels that most cells are.
inline NumberScan scan_number(const char* begin, const char* end) {
  constexpr std::ptrdiff_t kExactDigits = 15;  // below 2^53, so that the double is the number
  std::uint64_t digits = 0;
  const char* at = begin;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  }
  const bool goes_on = at != end && (*at == '.' || *at == 'e' || *at == 'E');
  if (at == begin || goes_on || at - begin > kExactDigits) return scan_any_number(begin, end);
  return {static_cast<double>(digits), at};
}

enum class TextKind : std::uint8_t {
  kNumber = 0,
  kNotFinite = 1,   // "nan", "-inf", …
  kOutOfRange = 2,  // "1e400" and "1e-400": digits that no double is near
  kWord = 3,
};

// Of the whole text.
TextKind kind_of(std::string_view text);

// The text in double quotes, cut if it is long, with signs in place of what would not print.
std::string shown(std::string_view text);

// `column 7 'x2bar'`; columns count from 1 for people.
std::string shown_column(std::size_t index, std::string_view name);

// `column 7 'x2bar' is "abc"; a number was expected`. For a text that is no number.
Error not_a_number(std::size_t index, std::string_view name, std::string_view text);

}  // namespace handrail
