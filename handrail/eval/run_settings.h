// The settings of runs and comparisons beside the SPECs: their rows, which flags, files and lists
// of settings share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "handrail/config/parameter_values.h"
#include "handrail/config/setting.h"

namespace handrail {

extern const ParameterSpec kRoundsRow;
extern const ParameterSpec kSeedRow;
extern const ParameterSpec kWarmStartRow;

// A setting as the help of a command shows it.
struct SettingHelp {
  std::string_view name;
  std::string meaning;  // with its default
  bool repeatable = false;
};
SettingHelp help_of(const ParameterSpec& row);
// The SPECs and the flags of environments, which runs and comparisons share.
std::vector<SettingHelp> help_of_specs();
std::vector<SettingHelp> help_of_flags();

// Sets the value that the setting names. An error names its place.
Status read_setting(const Setting& setting, ParameterValues& values);

}  // namespace handrail
