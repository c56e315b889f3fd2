// A value that users set by name and text: what may be given, and what was.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

// Either one of `words`, or a number of the closed range [low, high], or both. A row whose range is
// empty (low == high) takes words only.
struct ParameterSpec {
  std::string_view name;
  std::string_view meaning;
  std::string_view fallback;  // what stands if nothing is given
  double low = 0.0;
  double high = 0.0;
  bool low_is_open = false;
  bool whole = false;  // whole numbers only
  std::span<const std::string_view> words = {};
};

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
// A row of numbers above 0, up to `high`.
constexpr ParameterSpec positive_row(std::string_view name, std::string_view meaning,
                                     std::string_view fallback, double high) {
  return {.name = name,
          .meaning = meaning,
          .fallback = fallback,
          .low = 0.0,
          .high = high,
          .low_is_open = true};
}

// The number that the text stands for, if the row allows it.
std::optional<double> number_of(const ParameterSpec& spec, std::string_view text);
// The place of the text among the row's words, if it is one.
std::optional<std::size_t> word_of(const ParameterSpec& spec, std::string_view text);
// "a number in (0, 1]", "one of risky, open", "auto or a number in [0, 1]".
std::string expected(const ParameterSpec& spec);

// Ok, or a sentence that names the parameter, the text and what was expected.
Status check_value(const ParameterSpec& spec, std::string_view text);

using ParameterTexts = std::map<std::string, std::string, std::less<>>;

// The values of a list of parameters. What is asked for must be in the list and of that kind: they
// are a source's own.
class ParameterValues {
 public:
  // Texts that were not given fall back. Each text satisfies check_value().
  ParameterValues(std::span<const ParameterSpec> specs, const ParameterTexts& texts);

  std::string_view text(std::string_view name) const;
  double number(std::string_view name) const;
  std::uint64_t count(std::string_view name) const;
  std::size_t word(std::string_view name) const;
  // None if a word was given.
  std::optional<double> optional_number(std::string_view name) const;

 private:
  const ParameterSpec& spec(std::string_view name) const;

  std::span<const ParameterSpec> specs_;
  const ParameterTexts& texts_;
};

}  // namespace handrail
