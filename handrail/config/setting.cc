#include "handrail/config/setting.h"

#include <optional>

#include "handrail/base/text.h"

namespace handrail {

Error error_at(const Setting& setting, std::string_view message) {
  return Error{(setting.place.empty() ? "" : setting.place + ": ") + std::string(message)};
}

Error expected(const Setting& setting, std::string_view what) {
  return error_at(setting, setting.key + " is " + quoted(setting.value) + "; " + std::string(what) +
                               " was expected");
}

Error unknown_key(const Setting& setting, std::span<const std::string_view> known) {
  return error_at(setting, "unknown key " + quoted(setting.key) + "; did you mean " +
                               quoted(nearest(setting.key, known)) + "?");
}

Status read_number(const Setting& setting, double& out) {
  const std::optional<double> number = to_number(setting.value);
  if (!number.has_value()) return expected(setting, "a number");
  out = *number;
  return {};
}

Status read_count(const Setting& setting, std::uint64_t low, std::uint64_t& out) {
  const std::optional<std::uint64_t> number = to_count(setting.value);
  if (!number.has_value() || *number < low) {
    return expected(setting, "a whole number from " + std::to_string(low) + " on");
  }
  out = *number;
  return {};
}

Status read_path(const Setting& setting, std::string& out) {
  if (setting.value.empty()) return expected(setting, "the path of a file");
  out = setting.value;
  return {};
}

Status expect_single(const Setting& setting) {
  const std::string_view key = setting.key;
  if (!key.ends_with(kListMark)) return {};
  return error_at(setting, std::string(key.substr(0, key.size() - kListMark.size())) +
                               " is a list; one value was expected");
}

}  // namespace handrail
