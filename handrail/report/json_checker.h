// Looks at JSON that others wrote: what is there, and of the kind that is asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/eval/json_fields.h"

namespace handrail {

// Walks through an object and remembers the first thing that is not as it should be, with its place
// ("results[3].alpha").
class JsonChecker {
 public:
  using Json = nlohmann::json;

  explicit JsonChecker(std::string place) : place_(std::move(place)) {}

  Status status() const {
    return complaint_.empty() ? Status() : Error{place_ + ": " + complaint_};
  }
  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  }
  void refuse(const std::string& path, const Json& value, const std::string& expected) {
    complain(path + " is " + shown(value) + "; " + expected + " was expected");
  }

  // Each get() takes the field `name` of `object`. What has to be there comes first.
  void get(const Json& object, const std::string& path, std::string_view name, std::string& text) {
    const Json& value = at(object, path, name);
    if (!value.is_string()) return refuse(path + std::string(name), value, "a text");
    text = value.get<std::string>();
  }
  void get(const Json& object, const std::string& path, std::string_view name, double& number) {
    const Json& value = at(object, path, name);
    if (!value.is_number()) return refuse(path + std::string(name), value, "a number");
    number = value.get<double>();
  }
  void get(const Json& object, const std::string& path, std::string_view name,
           std::vector<double>& numbers) {
    const Json& list = at(object, path, name);
    const std::string place = path + std::string(name);
    if (!list.is_array() || list.empty()) return refuse(place, list, "a list of numbers");
    for (const Json& each : list) {
      if (!each.is_number()) return refuse(place, each, "a number");
      numbers.push_back(each.get<double>());
    }
  }
  void get(const Json& object, const std::string& path, std::string_view name,
           std::optional<std::string>& text) {
    const Json* value = find(object, name);
    if (value == nullptr) return;
    if (!value->is_string()) return refuse(path + std::string(name), *value, "a text or null");
    text = value->get<std::string>();
  }
  void get(const Json& object, const std::string& path, std::string_view name,
           std::optional<double>& number) {
    const Json* value = find(object, name);
    if (value == nullptr) return;
    if (!value->is_number()) return refuse(path + std::string(name), *value, "a number or null");
    number = value->get<double>();
  }
  void get(const Json& object, const std::string& path, std::string_view name,
           std::optional<std::uint64_t>& count) {
    const Json* value = find(object, name);
    if (value == nullptr) return;
    if (!value->is_number()) return refuse(path + std::string(name), *value, "a number or null");
    count = count_of(*value);
    if (!count.has_value()) refuse(path + std::string(name), *value, "a number that counts");
  }
  void get(const Json& object, const std::string& path, std::string_view name, bool& truth) {
    const Json* value = find(object, name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return refuse(path + std::string(name), *value, "true or false");
    truth = value->get<bool>();
  }
  void get(const Json& object, const std::string& path, std::string_view name,
           std::vector<std::string>& texts) {
    const Json* list = find(object, name);
    if (list == nullptr) return;
    const std::string place = path + std::string(name);
    if (!list->is_array()) return refuse(place, *list, "a list of texts");
    for (const Json& each : *list) {
      if (!each.is_string()) return refuse(place, each, "a text");
      texts.push_back(each.get<std::string>());
    }
  }

  // An object of numbers such as a mean with its error; none if it is null or absent.
  const Json* object_or_null(const Json& object, const std::string& path, std::string_view name) {
    const Json* value = find(object, name);
    if (value == nullptr || value->is_object()) return value;
    refuse(path + std::string(name), *value, "an object or null");
    return nullptr;
  }
  // Calls check(object, "name[3].") for each object of a list.
  template <typename Check>
  void each(const Json& object, const std::string& path, std::string_view name,
            const Check& check) {
    const Json& list = at(object, path, name);
    const std::string place = path + std::string(name);
    if (!list.is_array()) return refuse(place, list, "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = place + "[" + std::to_string(i) + "]";
      if (!list[i].is_object()) return refuse(item, list[i], "an object");
      check(list[i], item + ".");
    }
  }
  // The place of the one that is `value`, or whose `projection` is.
  template <typename Known, typename T, typename Projection = std::identity>
  std::size_t index_of(const Known& known, const T& value, const std::string& path,
                       Projection projection = {}) {
    const auto found = std::ranges::find(known, value, projection);
    if (found == known.end()) complain(path + " is " + shown(value) + ", which is not listed");
    return static_cast<std::size_t>(found - known.begin());
  }

 private:
  // Null counts as absent.
  static const Json* find(const Json& object, std::string_view name) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }
  const Json& at(const Json& object, const std::string& path, std::string_view name) {
    static const Json kNull;
    const auto found = object.find(name);
    if (found != object.end()) return *found;
    complain(path + std::string(name) + " is missing");
    return kNull;
  }

  static std::optional<std::uint64_t> count_of(const Json& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    // Other programs may write a count with a point.
    constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53
    const double number = value.get<double>();
    const bool counts =
        number >= 0.0 && number <= kLargestExactCount && number == std::floor(number);
    return counts ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
  }

  std::string place_;
  std::string complaint_;
};

}  // namespace handrail
