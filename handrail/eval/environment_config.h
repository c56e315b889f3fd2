// From the SPEC of an environment, with the flags that bear on it, to the environment itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "handrail/config/setting.h"
#include "handrail/config/spec.h"
#include "handrail/data/catalog.h"
#include "handrail/env/data_spec.h"
#include "handrail/env/dataset.h"
#include "handrail/env/environment.h"
#include "handrail/env/world_spec.h"

namespace handrail {

struct EnvironmentConfig {
  EnvironmentKind kind = EnvironmentKind::kWorld;
  WorldConfig world = {};  // of a world
  DataConfig data = {};    // of a data set
};

// Where the name ends in a SPEC of such an environment.
NameForm name_form(EnvironmentKind kind);

// Which one counts when a flag and the SPEC speak of the same key.
enum class Precedence : std::uint8_t { kFlag, kSpec };

// The flags are environment_flags(). An error names the place of the key or the flag that is to
// blame.
Result<EnvironmentConfig> read_environment(EnvironmentKind kind, const Spec& spec,
                                           std::span<const Setting> flags, Precedence precedence);

// The SPEC with every key spelled out.
std::string to_spec(const EnvironmentConfig& config);

// The environment's value for a flag, in the flag's words; empty if it has no key for it.
std::string value_of_flag(const EnvironmentConfig& config, std::string_view flag);

// Makes environments, and keeps the data sets that they view, until told to forget them. It must
// outlive the environments, and data set and environment are never changed, so that threads may
// share them.
class EnvironmentShelf {
 public:
  explicit EnvironmentShelf(CatalogConfig catalog) : catalog_(std::move(catalog)) {}

  Result<std::unique_ptr<Environment>> make(const EnvironmentConfig& config, std::uint64_t seed);
  Result<const Dataset*> dataset(const DataConfig& config);
  // Forgets all data sets but this environment's, and stdin, which cannot be read again.
  void keep_only(const EnvironmentConfig& config);

 private:
  CatalogConfig catalog_;
  std::map<std::string, std::unique_ptr<Dataset>> datasets_;  // by their SPEC
};

}  // namespace handrail
