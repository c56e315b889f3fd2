// Takes fields out of a JSON object, each of the kind that is asked for.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/core/arm_features.h"

namespace handrail {

// The value as an error shows it. A list or an object is named by its kind alone: it may be of any
// length and depth, and writing it out could exhaust the stack.
std::string shown(const nlohmann::json& value);
std::string shown(const std::string& text);

// The value as a SPEC spells it: a text or a number.
std::string spec_text_of(const nlohmann::json& value);

// Remembers the first field that is missing or of another kind.
class JsonFields {
 public:
  explicit JsonFields(const nlohmann::json& object) : object_(object) {}

  double number(std::string_view name);
  std::uint64_t count(std::string_view name);
  std::string text(std::string_view name);
  std::optional<double> number_or_null(std::string_view name);
  std::optional<std::uint64_t> count_or_null(std::string_view name);
  std::vector<double> numbers(std::string_view name);
  // A list of pairs [arm, number], or of numbers; of pairs, `arms` gets the arms.
  std::vector<double> numbers_by_arm(std::string_view name, std::vector<ArmIndex>& arms);
  // The spelling of a SPEC; `expected` says what the parameter takes.
  std::string spec_text(std::string_view name, std::string_view expected);
  const nlohmann::json& object(std::string_view name);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool is_null(std::string_view name) const;

  const std::string& complaint() const { return complaint_; }
  void complain(std::string_view what) {
    if (complaint_.empty()) complaint_ = what;
  }

 private:
  const nlohmann::json* find(std::string_view name) const;
  void refuse(std::string_view name, const nlohmann::json* found, std::string_view expected);

  const nlohmann::json& object_;
  std::string complaint_;
};

}  // namespace handrail
