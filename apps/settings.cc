#include "apps/commands.h"

#include <cstdio>

namespace handrail {

Result<std::vector<Setting>> all_settings(const std::string& config_path,
                                          const std::vector<Setting>& flags) {
  std::vector<Setting> settings;
  if (!config_path.empty()) {
    Result<std::vector<Setting>> from_file = read_toml(config_path);
    if (!from_file.ok()) return from_file.error();
    settings = std::move(from_file).value();
  }
  settings.insert(settings.end(), flags.begin(), flags.end());
  return settings;
}

int complain(const std::string& message) {
  std::fprintf(stderr, "handrail: %s\n", message.c_str());
  return kExitBadInput;
}

}  // namespace handrail
