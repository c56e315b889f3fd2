#include "handrail/config/spec.h"

#include <algorithm>

#include "handrail/base/text.h"

namespace handrail {
namespace {

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

// The colon where the keys begin, or npos.
std::size_t end_of_name(std::string_view text, NameForm form) {
  if (form == NameForm::kPlain) return text.find(':');
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    std::size_t end = colon + 1;
    while (end < text.size() && is_key_letter(text[end])) ++end;
    if (end > colon + 1 && end < text.size() && text[end] == '=') return colon;
  }
  return std::string_view::npos;
}

}  // namespace

Result<Spec> parse_spec(const Setting& setting, NameForm form) {
  const std::string_view text = setting.value;
  const std::size_t colon = end_of_name(text, form);
  Spec spec{.name = std::string(text.substr(0, colon)), .place = setting.place};
  if (colon == std::string_view::npos) return spec;
  for (const std::string_view pair : split(text.substr(colon + 1), ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) {
      return error_at(setting,
                      quoted(pair) + " in " + quoted(text) + " is not of the form key=value");
    }
    const std::string_view key = pair.substr(0, equals);
    if (find_key(spec, key) != nullptr) {
      return error_at(setting, "key " + quoted(key) + " is given twice in " + quoted(text));
    }
    spec.keys.push_back({.key = std::string(key),
                         .value = std::string(pair.substr(equals + 1)),
                         .place = setting.place});
  }
  return spec;
}

Status set_key(Spec& spec, const Setting& key) {
  if (key.value.find(',') != std::string::npos) return expected(key, "a value without commas");
  std::erase_if(spec.keys, [&](const Setting& other) { return other.key == key.key; });
  spec.keys.push_back(key);
  return {};
}

const Setting* find_key(const Spec& spec, std::string_view key) {
  const auto found = std::ranges::find(spec.keys, key, &Setting::key);
  return found == spec.keys.end() ? nullptr : &*found;
}

std::string to_text(const Spec& spec) {
  std::string text = spec.name;
  char separator = ':';
  for (const Setting& key : spec.keys) {
    text.append(1, separator).append(key.key).append("=").append(key.value);
    separator = ',';
  }
  return text;
}

Spec about(std::string_view subject, Spec spec) {
  const auto name_subject = [&](std::string& place) {
    if (!place.empty()) place += ": ";
    place += subject;
  };
  name_subject(spec.place);
  for (Setting& key : spec.keys) name_subject(key.place);
  return spec;
}

Status read_keys(std::span<const Setting> keys, ParameterValues& values) {
  for (const Setting& key : keys) {
    if (!values.has(key.key)) return unknown_key(key, values.names());
    const Status set = values.set(key.key, key.value);
    if (!set.ok()) return error_at(key, set.error().message);
  }
  return {};
}

std::string print_keys(const ParameterValues& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text.append(values.row(i).name).append("=").append(print_value(values.row(i), values.value(i)));
  }
  return text;
}

}  // namespace handrail
