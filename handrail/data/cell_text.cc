#include "handrail/data/cell_text.h"

#include <charconv>
#include <cmath>

namespace handrail {
namespace {

struct AnyScan {
  double value = 0.0;
  const char* end = nullptr;
  std::errc code = std::errc::invalid_argument;
};

// As std::from_chars, which knows no plus sign, and reads "nan" and "inf".
AnyScan scan(const char* begin, const char* end) {
  AnyScan result{.end = begin};
  const bool has_plus = begin != end && *begin == '+';
  if (has_plus && (begin + 1 == end || begin[1] == '-')) return result;
  const auto [stop, code] = std::from_chars(begin + (has_plus ? 1 : 0), end, result.value);
  result.code = code;
  if (code != std::errc::invalid_argument) result.end = stop;
  return result;
}

bool prints(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7F;
}

}  // namespace

NumberScan scan_any_number(const char* begin, const char* end) {
  const AnyScan found = scan(begin, end);
  if (found.code != std::errc{} || !std::isfinite(found.value)) return {0.0, begin};
  return {found.value, found.end};
}

TextKind kind_of(std::string_view text) {
  const AnyScan found = scan(text.data(), text.data() + text.size());
  if (found.end != text.data() + text.size() || text.empty()) return TextKind::kWord;
  if (found.code == std::errc::result_out_of_range) return TextKind::kOutOfRange;
  if (found.code != std::errc{}) return TextKind::kWord;
  return std::isfinite(found.value) ? TextKind::kNumber : TextKind::kNotFinite;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t length = std::min(text.size(), kLongest);
  // Not in the middle of a character of UTF-8.
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) --length;
  std::string result = "\"";
  for (const char c : text.substr(0, length)) result += prints(c) ? c : '?';
  return result + (length < text.size() ? "...\"" : "\"");
}

std::string shown_column(std::size_t index, std::string_view name) {
  std::string quoted = shown(name);
  quoted.front() = quoted.back() = '\'';
  return "column " + std::to_string(index + 1) + " " + quoted;
}

Error not_a_number(std::size_t index, std::string_view name, std::string_view text) {
  const std::string is = shown_column(index, name) + " is " + shown(text);
  if (text.empty()) return Error{shown_column(index, name) + " is empty; a number was expected"};
  switch (kind_of(text)) {
    case TextKind::kNotFinite:
      return Error{is + "; a finite number was expected"};
    case TextKind::kOutOfRange:
      return Error{is + "; a number within the range of a double was expected"};
    case TextKind::kNumber:
    case TextKind::kWord:
      break;
  }
  return Error{is + "; a number was expected"};
}

}  // namespace handrail
