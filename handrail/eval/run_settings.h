// The settings of runs and comparisons beside the SPECs: their rows, which flags, files and lists
// of settings share.
#pragma once

#include <span>

#include "handrail/config/parameter_values.h"
#include "handrail/config/setting.h"

namespace handrail {

extern const ParameterSpec kRoundsRow;
extern const ParameterSpec kSeedRow;
extern const ParameterSpec kWarmStartRow;

// Sets the value that the setting names. An error names its place.
Status read_setting(const Setting& setting, ParameterValues& values);

}  // namespace handrail
