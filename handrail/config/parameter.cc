#include "handrail/config/parameter.h"

#include "handrail/base/text.h"
#include "handrail/config/parameter_values.h"

namespace handrail {

std::vector<std::string_view> words_of(const ParameterSpec& row) {
  std::vector<std::string_view> words(row.words.begin(), row.words.end());
  if (row.more_words == nullptr) return words;
  for (const std::string_view word : row.more_words()) words.push_back(word);
  return words;
}

std::string expected(const ParameterSpec& row) {
  if (row.check != nullptr) return std::string(row.form);
  if (row.low == row.high) return "one of " + join(words_of(row), ", ");
  const std::string kind = row.list    ? "whole numbers with x between them, each in "
                           : row.whole ? "a whole number in "
                                       : "a number in ";
  const std::string range = kind + (row.low_is_open ? "(" : "[") + to_text(row.low) + ", " +
                            to_text(row.high) + (row.high_is_open ? ")" : "]");
  const std::vector<std::string_view> words = words_of(row);
  return words.empty() ? range : join(words, ", ") + " or " + range;
}

Status check_number(const ParameterSpec& row, double number) {
  if (is_in_range(row, number)) return {};
  return Error{std::string(row.name) + " is " + to_text(number) + "; " + expected(row) +
               " was expected"};
}

}  // namespace handrail
