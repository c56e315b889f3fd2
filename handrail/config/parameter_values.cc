#include "handrail/config/parameter_values.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

std::optional<double> number_of(const ParameterSpec& row, std::string_view text) {
  if (row.low == row.high) return std::nullopt;
  if (row.whole && !to_count(text).has_value()) return std::nullopt;
  const std::optional<double> number = to_number(text);
  if (!number.has_value() || !is_in_range(row, *number)) return std::nullopt;
  return number;
}

// Empty if one of the pieces is no count of the range.
std::vector<std::size_t> counts_of(const ParameterSpec& row, std::string_view text) {
  std::vector<std::size_t> counts;
  for (const std::string_view piece : split(text, 'x')) {
    const std::optional<std::uint64_t> count = to_count(piece);
    if (!count.has_value() || !is_in_range(row, static_cast<double>(*count))) return {};
    counts.push_back(*count);
  }
  return counts;
}

std::optional<std::size_t> word_of(const ParameterSpec& row, std::string_view text) {
  const std::vector<std::string_view> words = words_of(row);
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace

bool is_in_range(const ParameterSpec& row, double number) {
  const bool above = row.low_is_open ? number > row.low : number >= row.low;
  const bool below = row.high_is_open ? number < row.high : number <= row.high;
  return above && below;
}

Result<ParameterValue> parse_value(const ParameterSpec& row, std::string_view text) {
  ParameterValue value{.text = std::string(text)};
  if (row.check != nullptr) {
    const Status good = row.check(text);
    if (!good.ok()) return good.error();
    return value;
  }
  value.word = word_of(row, text);
  if (row.list) {
    value.counts = counts_of(row, text);
  } else if (!value.word.has_value()) {
    value.number = number_of(row, text);
    if (row.whole && value.number.has_value()) value.count = to_count(text);
  }
  if (value.word.has_value() || value.number.has_value() || !value.counts.empty()) return value;
  return Error{std::string(row.name) + " is " + quoted(text) + "; " + expected(row) +
               " was expected"};
}

std::string print_value(const ParameterSpec& row, const ParameterValue& value) {
  if (row.spelling != nullptr) return row.spelling(value.text);
  if (value.count.has_value()) return std::to_string(*value.count);
  if (value.number.has_value()) return to_text(*value.number);
  if (value.counts.empty()) return value.text;
  std::string text;
  for (const std::size_t count : value.counts) {
    text += (text.empty() ? "" : "x") + std::to_string(count);
  }
  return text;
}

void ParameterValues::add(std::span<const ParameterSpec> rows) {
  for (const ParameterSpec& row : rows) add(row);
}

void ParameterValues::add(std::span<const ParameterSpec* const> rows) {
  for (const ParameterSpec* const row : rows) add(*row);
}

void ParameterValues::add(const ParameterSpec& row) {
  if (std::ranges::find(rows_, &row) != rows_.end()) return;
  HANDRAIL_ASSERT(!has(row.name));
  Result<ParameterValue> fallback = parse_value(row, row.fallback);
  HANDRAIL_ASSERT(fallback.ok());
  rows_.push_back(&row);
  values_.push_back(std::move(fallback).value());
}

void ParameterValues::add(const ParameterValues& others) {
  for (const ParameterSpec* row : others.rows_) HANDRAIL_ASSERT(!has(row->name));
  rows_.insert(rows_.end(), others.rows_.begin(), others.rows_.end());
  values_.insert(values_.end(), others.values_.begin(), others.values_.end());
}

bool ParameterValues::has(std::string_view name) const {
  return find(name).has_value();
}

std::optional<std::size_t> ParameterValues::find(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &ParameterSpec::name);
  if (found == rows_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rows_.begin());
}

const ParameterValue& ParameterValues::at(std::string_view name) const {
  const std::optional<std::size_t> index = find(name);
  HANDRAIL_ASSERT(index.has_value());
  return values_[*index];
}

Status ParameterValues::set(std::string_view name, std::string_view text) {
  const std::optional<std::size_t> index = find(name);
  HANDRAIL_ASSERT(index.has_value());
  Result<ParameterValue> value = parse_value(*rows_[*index], text);
  if (!value.ok()) return value.error();
  values_[*index] = std::move(value).value();
  return {};
}

void ParameterValues::settle(const ParameterSpec& row, std::string_view text) {
  const Status done = set(row.name, text);
  HANDRAIL_ASSERT(done.ok());
}

std::string_view ParameterValues::text(std::string_view name) const {
  return at(name).text;
}

double ParameterValues::number(std::string_view name) const {
  const std::optional<double> found = optional_number(name);
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

std::uint64_t ParameterValues::count(std::string_view name) const {
  const std::optional<std::uint64_t> found = at(name).count;
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

std::size_t ParameterValues::word(std::string_view name) const {
  const std::optional<std::size_t> found = at(name).word;
  HANDRAIL_ASSERT(found.has_value());
  return *found;
}

const std::vector<std::size_t>& ParameterValues::counts(std::string_view name) const {
  return at(name).counts;
}

std::optional<double> ParameterValues::optional_number(std::string_view name) const {
  return at(name).number;
}

std::string ParameterValues::printed(std::string_view name) const {
  const std::optional<std::size_t> index = find(name);
  HANDRAIL_ASSERT(index.has_value());
  return print_value(*rows_[*index], values_[*index]);
}

std::vector<std::string_view> ParameterValues::names() const {
  std::vector<std::string_view> names;
  for (const ParameterSpec* row : rows_) names.push_back(row->name);
  return names;
}

}  // namespace handrail
