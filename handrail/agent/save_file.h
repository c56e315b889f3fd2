// A save file: an agent's state, and that of the run it was saved from, if it was. Sealed with a
// checksum; written whole or not at all.
#pragma once

#include <string>

#include "handrail/base/result.h"

namespace handrail {

struct SaveFile {
  std::string agent;  // Agent::state()
  std::string run;    // empty if the agent was saved alone
};

Status write_save(const std::string& path, const SaveFile& save);
Result<SaveFile> read_save(const std::string& path);

}  // namespace handrail
