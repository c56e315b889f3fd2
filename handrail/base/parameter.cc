#include "handrail/base/parameter.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"

namespace handrail {

std::optional<double> number_of(const ParameterSpec& spec, std::string_view text) {
  if (spec.low == spec.high) return std::nullopt;
  if (spec.whole && !to_count(text).has_value()) return std::nullopt;
  const std::optional<double> number = to_number(text);
  if (!number.has_value() || std::isnan(*number)) return std::nullopt;
  if (*number > spec.high || *number < spec.low) return std::nullopt;
  if (spec.low_is_open && *number == spec.low) return std::nullopt;
  return number;
}

std::optional<std::size_t> word_of(const ParameterSpec& spec, std::string_view text) {
  const auto found = std::ranges::find(spec.words, text);
  if (found == spec.words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - spec.words.begin());
}

std::string expected(const ParameterSpec& spec) {
  if (spec.low == spec.high) return "one of " + join(spec.words, ", ");
  const std::string range = std::string(spec.whole ? "a whole number in " : "a number in ") +
                            (spec.low_is_open ? "(" : "[") + to_text(spec.low) + ", " +
                            to_text(spec.high) + "]";
  return spec.words.empty() ? range : join(spec.words, ", ") + " or " + range;
}

Status check_value(const ParameterSpec& spec, std::string_view text) {
  if (number_of(spec, text).has_value() || word_of(spec, text).has_value()) return {};
  return Error{"parameter " + std::string(spec.name) + " is " + quoted(text) + "; " +
               expected(spec) + " was expected"};
}

ParameterValues::ParameterValues(std::span<const ParameterSpec> specs, const ParameterTexts& texts)
    : specs_(specs), texts_(texts) {}

const ParameterSpec& ParameterValues::spec(std::string_view name) const {
  const auto found = std::ranges::find(specs_, name, &ParameterSpec::name);
  HANDRAIL_ASSERT(found != specs_.end());
  return *found;
}

std::string_view ParameterValues::text(std::string_view name) const {
  const auto given = texts_.find(name);
  return given != texts_.end() ? std::string_view(given->second) : spec(name).fallback;
}

double ParameterValues::number(std::string_view name) const {
  const std::optional<double> found = optional_number(name);
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

std::uint64_t ParameterValues::count(std::string_view name) const {
  const std::optional<std::uint64_t> found = to_count(text(name));
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

std::size_t ParameterValues::word(std::string_view name) const {
  const std::optional<std::size_t> found = word_of(spec(name), text(name));
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

std::optional<double> ParameterValues::optional_number(std::string_view name) const {
  return number_of(spec(name), text(name));
}

}  // namespace handrail
