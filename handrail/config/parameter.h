// One row of a table of parameters: what a user may set by name, with its bounds, its default and
// its meaning. Agents and their parts, worlds, data sets and the settings of a run all have such
// tables; nothing else knows a parameter's name.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

// A number of the range, or one of `words`, or either. A row whose range is empty (low == high)
// takes words only. A row with a `check` takes any text that passes it.
struct ParameterSpec {
  std::string_view name;
  std::string_view meaning;
  std::string_view fallback;  // the value if none is given
  double low = 0.0;
  double high = 0.0;
  bool low_is_open = false;
  bool high_is_open = false;
  bool whole = false;  // whole numbers only
  bool list = false;   // one or more whole numbers, with an x between them: 100x50
  std::span<const std::string_view> words = {};
  // More words, which stand behind those: what a registry has, known when the program runs only.
  std::vector<std::string_view> (*more_words)() = nullptr;
  // Refuses a text with a sentence of its own.
  Status (*check)(std::string_view text) = nullptr;
  std::string_view form = {};  // what `check` expects, in words
  // The one spelling of a text that passed `check`; null: as it was given.
  std::string (*spelling)(std::string_view text) = nullptr;
  std::string_view group = {};  // the heading under which lists show the row
};

// Words of many rows.
inline constexpr std::array<std::string_view, 1> kAutoWord = {"auto"};
inline constexpr std::array<std::string_view, 2> kYesWords = {"no", "yes"};

struct NumberRange {
  double low = 0.0;
  double high = 0.0;
};
// A row of whole numbers in the closed range.
constexpr ParameterSpec count_row(std::string_view name, std::string_view meaning,
                                  std::string_view fallback, NumberRange range) {
  return {.name = name,
          .meaning = meaning,
          .fallback = fallback,
          .low = range.low,
          .high = range.high,
          .whole = true};
}
// A row of numbers in the closed range.
constexpr ParameterSpec number_row(std::string_view name, std::string_view meaning,
                                   std::string_view fallback, NumberRange range) {
  return {
      .name = name, .meaning = meaning, .fallback = fallback, .low = range.low, .high = range.high};
}
// A row of numbers above 0, up to `high`.
constexpr ParameterSpec positive_row(std::string_view name, std::string_view meaning,
                                     std::string_view fallback, double high) {
  ParameterSpec row = number_row(name, meaning, fallback, {.low = 0.0, .high = high});
  row.low_is_open = true;
  return row;
}
// A row of words, whose place in the list is the value.
constexpr ParameterSpec word_row(std::string_view name, std::string_view meaning,
                                 std::string_view fallback,
                                 std::span<const std::string_view> words) {
  return {.name = name, .meaning = meaning, .fallback = fallback, .words = words};
}
// The row under a heading of lists.
constexpr ParameterSpec grouped(std::string_view group, ParameterSpec row) {
  row.group = group;
  return row;
}
// The row, which takes words beside its numbers.
constexpr ParameterSpec or_words(ParameterSpec row, std::span<const std::string_view> words) {
  row.words = words;
  return row;
}

std::vector<std::string_view> words_of(const ParameterSpec& row);

// "a number in (0, 1]", "one of risky, open", "auto or a number in [0, 1]".
std::string expected(const ParameterSpec& row);

// Ok, or a sentence that names the parameter, the number and what was expected. For numbers that
// reach the program as numbers.
Status check_number(const ParameterSpec& row, double number);

}  // namespace handrail
