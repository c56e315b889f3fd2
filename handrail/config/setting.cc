#include "handrail/config/setting.h"

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

Status expect_single(const Setting& setting) {
  const std::string_view key = setting.key;
  if (!key.ends_with(kListMark)) return {};
  return error_at(setting, std::string(key.substr(0, key.size() - kListMark.size())) +
                               " is a list; one value was expected");
}

}  // namespace handrail
