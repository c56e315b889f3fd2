// From the name of an environment, with the flags that bear on it, to the environment itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/config/setting.h"
#include "handrail/data/catalog.h"
#include "handrail/env/data_spec.h"
#include "handrail/env/dataset.h"
#include "handrail/env/environment.h"
#include "handrail/env/world_spec.h"

namespace handrail {

struct EnvironmentPlan {
  EnvironmentKind kind = EnvironmentKind::kWorld;
  WorldConfig world = {};  // of a world; its seed means nothing here
  DataConfig data = {};    // of a data set
};

// Flags that stand for keys of the environment's SPEC: noise, delay, baseline, baseline-known; for
// data sets also class, costs and cost-max.
bool is_environment_flag(std::string_view key);
// `keys` and those, for a list of all that can be set.
std::vector<std::string_view> with_environment_flags(std::span<const std::string_view> keys);

// Which one counts when a flag and the SPEC speak of the same key.
enum class Precedence : std::uint8_t { kFlag, kSpec };

// `named` is a setting "data" or "world" whose value is a SPEC. An error names the place of the
// setting or the flag that is to blame.
Result<EnvironmentPlan> plan_environment(const Setting& named, std::span<const Setting> flags,
                                         Precedence precedence);

// The SPEC with every key spelled out.
std::string to_spec(const EnvironmentPlan& plan);

// key=value set in a SPEC, over what it says of the key. `colon` is where its keys begin, or npos.
std::string with_key(std::string_view spec, std::size_t colon, std::string_view key,
                     std::string_view value);

// Makes environments, and keeps the data sets that they view, until told to forget them. It must
// outlive the environments, and data set and environment are never changed, so that threads may
// share them.
class EnvironmentShelf {
 public:
  explicit EnvironmentShelf(CatalogConfig catalog) : catalog_(std::move(catalog)) {}

  Result<std::unique_ptr<Environment>> make(const EnvironmentPlan& plan, std::uint64_t seed);
  Result<const Dataset*> dataset(const DataConfig& config);
  // Forgets all data sets but this one, and stdin, which cannot be read again.
  void keep_only(const DataConfig& config);

 private:
  CatalogConfig catalog_;
  std::map<std::string, std::unique_ptr<Dataset>> datasets_;  // by their SPEC
};

}  // namespace handrail
