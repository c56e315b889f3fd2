// Data SPECs by their text, for tests.
#pragma once

#include <string>
#include <string_view>

#include "handrail/env/data_spec.h"

namespace handrail {

inline Result<DataConfig> parse_data(std::string_view text) {
  const Result<Spec> spec =
      parse_spec({.key = "data", .value = std::string(text), .place = {}}, NameForm::kPath);
  if (!spec.ok()) return spec.error();
  return read_data(spec.value());
}

}  // namespace handrail
