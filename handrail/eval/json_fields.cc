#include "handrail/eval/json_fields.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "handrail/base/text.h"

namespace handrail {

using Json = nlohmann::json;

std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return shortened(value.dump(-1, ' ', /*ensure_ascii=*/true));
}

std::string shown(const std::string& text) {
  return shown(Json(text));
}

std::string spec_text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  return value.is_number() ? to_text(value.get<double>()) : shown(value);
}

const Json* JsonFields::find(std::string_view name) const {
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

void JsonFields::refuse(std::string_view name, const Json* found, std::string_view expected) {
  const std::string is = found == nullptr ? " is missing" : " is " + shown(*found);
  complain("field " + std::string(name) + is + "; " + std::string(expected) + " was expected");
}

bool JsonFields::is_null(std::string_view name) const {
  const Json* found = find(name);
  return found != nullptr && found->is_null();
}

double JsonFields::number(std::string_view name) {
  const Json* found = find(name);
  if (found != nullptr && found->is_number()) return found->get<double>();
  refuse(name, found, "a number");
  return 0.0;
}

std::uint64_t JsonFields::count(std::string_view name) {
  const Json* found = find(name);
  if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
  refuse(name, found, "a number that counts");
  return 0;
}

std::string JsonFields::text(std::string_view name) {
  const Json* found = find(name);
  if (found != nullptr && found->is_string()) return found->get<std::string>();
  refuse(name, found, "a text");
  return {};
}

std::optional<double> JsonFields::number_or_null(std::string_view name) {
  return is_null(name) ? std::nullopt : std::optional(number(name));
}

std::optional<std::uint64_t> JsonFields::count_or_null(std::string_view name) {
  return is_null(name) ? std::nullopt : std::optional(count(name));
}

std::vector<double> JsonFields::numbers(std::string_view name) {
  const Json* found = find(name);
  std::vector<double> values;
  if (found == nullptr || !found->is_array()) {
    refuse(name, found, "a list of numbers");
    return {};
  }
  for (const Json& each : *found) {
    if (!each.is_number()) {
      refuse(name, found, "a list of numbers");
      return {};
    }
    values.push_back(each.get<double>());
  }
  return values;
}

std::vector<double> JsonFields::numbers_by_arm(std::string_view name, std::vector<ArmIndex>& arms) {
  const Json* found = find(name);
  const bool has_pairs =
      found != nullptr && found->is_array() && !found->empty() && found->front().is_array();
  if (!has_pairs) return numbers(name);
  std::vector<double> values;
  for (const Json& each : *found) {
    const bool is_pair =
        each.is_array() && each.size() == 2 && each[0].is_number_unsigned() && each[1].is_number();
    if (!is_pair || each[0].get<std::uint64_t>() > std::numeric_limits<ArmIndex>::max()) {
      refuse(name, found, "a list of pairs of an arm and a number");
      return {};
    }
    arms.push_back(each[0].get<ArmIndex>());
    values.push_back(each[1].get<double>());
  }
  return values;
}

std::string JsonFields::spec_text(std::string_view name, std::string_view expected) {
  const Json* found = find(name);
  if (found != nullptr && !found->is_structured() && !found->is_null()) return spec_text_of(*found);
  refuse(name, found, expected);
  return {};
}

const Json& JsonFields::object(std::string_view name) {
  static const Json kNothing = Json::object();
  const Json* found = find(name);
  if (found != nullptr && found->is_object()) return *found;
  refuse(name, found, "an object");
  return kNothing;
}

}  // namespace handrail
