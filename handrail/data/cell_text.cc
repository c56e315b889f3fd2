#include "handrail/data/cell_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "handrail/base/text.h"

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

// Goes past digits, which it puts behind those of `number`.
const char* take_digits(const char* at, const char* end, std::uint64_t& number) {
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    number = 10 * number + static_cast<std::uint64_t>(*at - '0');
  }
  return at;
}

// scan_number, with a short way for what most cells are: up to 15 digits, with or without a point.
// These digits are below 2^53 and the powers below 10^16, so that both are doubles without rounding
// and their quotient is the double nearest to the number, as std::from_chars would give it.
NumberScan scan_cell(const char* begin, const char* end) {
  constexpr std::array<double, 16> kPowersOfTen = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool is_negative = begin != end && *begin == '-';
  const char* first = begin + (is_negative ? 1 : 0);
  std::uint64_t digits = 0;
  const char* at = take_digits(first, end, digits);
  auto digit_count = static_cast<std::size_t>(at - first);
  std::size_t fraction_count = 0;
  if (at != end && *at == '.') {
    const char* fraction = at + 1;
    at = take_digits(fraction, end, digits);
    fraction_count = static_cast<std::size_t>(at - fraction);
    digit_count += fraction_count;
  }
  const bool has_exponent = at != end && (*at == 'e' || *at == 'E');
  if (digit_count == 0 || digit_count >= kPowersOfTen.size() || has_exponent) {
    return scan_number(begin, end);
  }
  auto value = static_cast<double>(digits);
  if (fraction_count > 0) value /= kPowersOfTen[fraction_count];
  return {is_negative ? -value : value, at};
}

// Digits at the beginning of eight bytes, all looked at together: a branch for each digit would be
// guessed wrong every third time, which takes longer than the arithmetic. No digits or eight of
// them give {0, at}. For machines whose low byte comes first.
NumberScan scan_few_digits(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof(bytes));
  const std::uint64_t digits = bytes ^ 0x3030303030303030;
  // The high bit of each byte up to the first that is no digit is set if it is none.
  const std::uint64_t others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
  const int bit_count = std::countr_zero(others) & ~7;
  if (bit_count == 0 || others == 0) return {0.0, at};
  // Zeros come before the digits; then pairs, then fours, then all eight become one number.
  std::uint64_t number = digits << (64 - bit_count);
  number = 10 * number + (number >> 8);
  number = ((number & 0x000000FF000000FF) * ((std::uint64_t{1'000'000} << 32) + 100) +
            ((number >> 16) & 0x000000FF000000FF) * ((std::uint64_t{10'000} << 32) + 1)) >>
           32;
  return {static_cast<double>(number), at + bit_count / 8};
}

NumberScan scan_short_or_long(const char* at, const char* end, char separator) {
  if constexpr (std::endian::native == std::endian::little) {
    if (end - at >= 8) {
      const NumberScan number = scan_few_digits(at);
      if (number.end != at && *number.end == separator) return number;
    }
  }
  return scan_cell(at, end);
}

bool prints(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7F;
}

}  // namespace

NumberScan scan_number(const char* begin, const char* end) {
  const AnyScan found = scan(begin, end);
  if (found.code != std::errc{} || !std::isfinite(found.value)) return {0.0, begin};
  return {found.value, found.end};
}

std::optional<double> number_of(std::string_view text) {
  const char* end = text.data() + text.size();
  const NumberScan number = scan_number(text.data(), end);
  if (text.empty() || number.end != end) return std::nullopt;
  return number.value;
}

CellRun scan_numbers(std::string_view text, char separator, std::span<double> cells) {
  const char* at = text.data();
  const char* end = at + text.size();
  CellRun run{0, at};
  while (run.count < cells.size()) {
    const NumberScan number = scan_short_or_long(at, end, separator);
    const bool ends_well = number.end == end || *number.end == separator;
    if (number.end == at || !ends_well) break;
    cells[run.count++] = number.value;
    run.end = number.end;
    if (number.end == end) break;
    at = number.end + 1;
    while (at != end && *at == ' ') ++at;
  }
  return run;
}

TextKind kind_of(std::string_view text) {
  const AnyScan found = scan(text.data(), text.data() + text.size());
  if (found.end != text.data() + text.size() || text.empty()) return TextKind::kWord;
  if (found.code == std::errc::result_out_of_range) return TextKind::kOutOfRange;
  if (found.code != std::errc{}) return TextKind::kWord;
  return std::isfinite(found.value) ? TextKind::kNumber : TextKind::kNotFinite;
}

std::string shown(std::string_view text) {
  std::string result = shortened(text);
  for (char& c : result) c = prints(c) ? c : '?';
  return quoted(result);
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
