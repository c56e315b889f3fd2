#include "handrail/env/world_spec.h"

#include <algorithm>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/env/world_registry.h"

namespace handrail {
namespace {

Error unknown_world(const Spec& spec) {
  std::vector<std::string_view> names;
  for (const WorldEntry* const entry : worlds()) names.push_back(entry->name);
  return error_at({.key = {}, .value = {}, .place = spec.place},
                  "unknown world " + quoted(spec.name) + "; did you mean " +
                      quoted(nearest(spec.name, names)) + "?");
}

// The worlds that have a key of this name.
std::vector<std::string_view> worlds_with(std::string_view key) {
  std::vector<std::string_view> names;
  for (const WorldEntry* const entry : worlds()) {
    const auto is_named = [&](const ParameterSpec* row) { return row->name == key; };
    if (std::ranges::any_of(entry->parameters, is_named)) names.push_back(entry->name);
  }
  return names;
}

// Refuses keys that other worlds have. To name the nearest key of this one would not help.
Status check_keys(const Spec& spec, const ParameterValues& values) {
  for (const Setting& key : spec.keys) {
    const std::vector<std::string_view> others = worlds_with(key.key);
    if (values.has(key.key) || others.empty()) continue;
    return error_at(key, "key " + quoted(key.key) + " is for " + join(others, ", ") + " only");
  }
  return {};
}

}  // namespace

Result<WorldConfig> read_world(const Spec& spec) {
  const WorldEntry* const entry = find_world(spec.name);
  if (entry == nullptr) return unknown_world(spec);
  const Spec placed = about("world " + spec.name, spec);
  WorldConfig config{.entry = entry, .values = ParameterValues(entry->parameters)};
  Status done = check_keys(placed, config.values);
  if (done.ok()) done = read_keys(placed.keys, config.values);
  if (!done.ok()) return done.error();
  if (entry->resolve != nullptr) entry->resolve(config.values);
  if (entry->check != nullptr) done = entry->check(config.values);
  if (!done.ok()) {
    return error_at({.key = {}, .value = {}, .place = placed.place}, done.error().message);
  }
  return config;
}

std::string to_spec(const WorldConfig& config) {
  return std::string(config.entry->name) + ":" + print_keys(config.values);
}

}  // namespace handrail
