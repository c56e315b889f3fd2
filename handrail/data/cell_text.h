// The text of one cell: which number it is, and how an error shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
NumberScan scan_number(const char* begin, const char* end);

// The number that the whole text is.
std::optional<double> number_of(std::string_view text);

// Cells that were filled, and where the last of them ended.
struct CellRun {
  std::size_t count;
  const char* end;
};

// The short way through a row: fills cells from the front as long as the text has plain numbers,
// with one separator between them, spaces behind it, and the separator or the text's end behind the
// last. Everything else is left to slower hands: it may be a missing cell or a mistake.
CellRun scan_numbers(std::string_view text, char separator, std::span<double> cells);

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
