// The one grammar by which users name agents, worlds and data sets: NAME[:key=value,…].
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/config/parameter_values.h"
#include "handrail/config/setting.h"

namespace handrail {

// A SPEC taken apart, with the place of each part for errors. Commas separate the keys, so no value
// holds one.
struct Spec {
  std::string name;
  std::string place = {};          // of the name
  std::vector<Setting> keys = {};  // in the order in which they were given, each once
};

// Where a name ends. A path may hold colons: it ends at the first one that a key and a '=' follow.
enum class NameForm : std::uint8_t { kPlain, kPath };

Result<Spec> parse_spec(const Setting& setting, NameForm form = NameForm::kPlain);

// Sets a key over what the SPEC says of it. Refuses a value with a comma.
Status set_key(Spec& spec, const Setting& key);
const Setting* find_key(const Spec& spec, std::string_view key);

// NAME:a=b,c=d.
std::string to_text(const Spec& spec);

// The same, which names its subject behind every place: "a.toml:1:9: world linear".
Spec about(std::string_view subject, Spec spec);

// Reads keys into values that have a row for each. An error names the place of its key.
Status read_keys(std::span<const Setting> keys, ParameterValues& values);

// Every value in its one spelling, in the order of the rows: "a=b,c=d".
std::string print_keys(const ParameterValues& values);

}  // namespace handrail
