// Worlds, the keys of data SPECs and data formats as `handrail agents` lists them.
#pragma once

#include <string>

#include "handrail/base/json.h"

namespace handrail {

std::string environments_as_text();

// The members "worlds", "data_keys" and "data_formats" of an object.
void write_environments(JsonWriter& json);

}  // namespace handrail
