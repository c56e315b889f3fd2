// The values of a table of parameters: parsed once, where they enter, and typed from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/parameter.h"

namespace handrail {

// Whether the row's range holds the number. NaN is in no range.
bool is_in_range(const ParameterSpec& row, double number);

// A parsed text: a number, the place of a word, or a list of counts. A text
// that a `check` let pass is none of these.
struct ParameterValue {
  std::string text;  // as it was given
  std::optional<double> number = std::nullopt;
  std::optional<std::uint64_t> count = std::nullopt;  // beside the number, of a row of whole ones
  std::optional<std::size_t> word = std::nullopt;
  std::vector<std::size_t> counts = {};

  friend bool operator==(const ParameterValue&, const ParameterValue&) = default;
};
// An error says which parameter, the text and what was expected.
Result<ParameterValue> parse_value(const ParameterSpec& row, std::string_view text);
// The value in its one spelling: 0.10 and 1e-1 are 0.1.
std::string print_value(const ParameterSpec& row, const ParameterValue& value);

// Asking for a parameter that is not in the table, or for another kind than the row's, is a mistake
// of the program: a source asks for its own rows.
class ParameterValues {
 public:
  ParameterValues() = default;
  explicit ParameterValues(std::span<const ParameterSpec> rows) { add(rows); }
  explicit ParameterValues(std::span<const ParameterSpec* const> rows) { add(rows); }

  // More rows, at their fallbacks. The rows outlive the values. A row that is there already is not
  // added again: several parts may share it.
  void add(std::span<const ParameterSpec> rows);
  void add(std::span<const ParameterSpec* const> rows);
  void add(const ParameterSpec& row);
  // The rows of others, with their values.
  void add(const ParameterValues& others);

  bool has(std::string_view name) const;
  // Refuses a text that the row does not take, and then changes nothing.
  Status set(std::string_view name, std::string_view text);
  // The same for a text of ours, which the row takes.
  void settle(const ParameterSpec& row, std::string_view text);

  std::string_view text(std::string_view name) const;
  double number(std::string_view name) const;
  std::uint64_t count(std::string_view name) const;
  std::size_t word(std::string_view name) const;
  const std::vector<std::size_t>& counts(std::string_view name) const;
  // Nothing if a word was given.
  std::optional<double> optional_number(std::string_view name) const;
  // In its one spelling.
  std::string printed(std::string_view name) const;

  // By the row, for tables that several sources share: the name then stands in one of them.
  std::string_view text(const ParameterSpec& row) const { return text(row.name); }
  double number(const ParameterSpec& row) const { return number(row.name); }
  std::uint64_t count(const ParameterSpec& row) const { return count(row.name); }
  std::optional<double> optional_number(const ParameterSpec& row) const {
    return optional_number(row.name);
  }
  // Words whose places are the values of an enumeration.
  template <typename Enumeration>
  Enumeration choice(std::string_view name) const {
    return static_cast<Enumeration>(word(name));
  }
  template <typename Enumeration>
  Enumeration choice(const ParameterSpec& row) const {
    return choice<Enumeration>(row.name);
  }

  std::size_t size() const { return rows_.size(); }
  const ParameterSpec& row(std::size_t index) const { return *rows_[index]; }
  const ParameterValue& value(std::size_t index) const { return values_[index]; }
  std::vector<std::string_view> names() const;

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

 private:
  std::optional<std::size_t> find(std::string_view name) const;
  const ParameterValue& at(std::string_view name) const;

  std::vector<const ParameterSpec*> rows_;
  std::vector<ParameterValue> values_;  // one a row
};

}  // namespace handrail
