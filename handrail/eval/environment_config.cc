#include "handrail/eval/environment_config.h"

#include <optional>

#include "handrail/base/assert.h"
#include "handrail/env/data_environment.h"
#include "handrail/env/data_table.h"
#include "handrail/env/world.h"
#include "handrail/eval/environment_flag.h"

namespace handrail {
namespace {

Result<EnvironmentConfig> read(EnvironmentKind kind, const Spec& spec) {
  EnvironmentConfig config;
  config.kind = kind;
  if (kind == EnvironmentKind::kWorld) {
    Result<WorldConfig> world = read_world(spec);
    if (!world.ok()) return world.error();
    config.world = std::move(world).value();
  } else {
    Result<DataConfig> data = read_data(spec);
    if (!data.ok()) return data.error();
    config.data = std::move(data).value();
  }
  return config;
}

Status set_flags(EnvironmentKind kind, std::span<const Setting> flags, Precedence precedence,
                 Spec& spec) {
  for (const Setting& flag : flags) {
    const EnvironmentFlag* const found = find_environment_flag(flag.key);
    HANDRAIL_ASSERT(found != nullptr);
    const bool in_spec = find_key(spec, found->meaning(kind).key) != nullptr;
    if (in_spec && precedence == Precedence::kSpec) continue;
    const Result<std::optional<Setting>> key = key_of_flag(flag, kind);
    if (!key.ok()) return key.error();
    if (!key.value().has_value()) continue;
    const Status set = set_key(spec, *key.value());
    if (!set.ok()) return set;
  }
  return {};
}

}  // namespace

NameForm name_form(EnvironmentKind kind) {
  return kind == EnvironmentKind::kWorld ? NameForm::kPlain : NameForm::kPath;
}

Result<EnvironmentConfig> read_environment(EnvironmentKind kind, const Spec& spec,
                                           std::span<const Setting> flags, Precedence precedence) {
  if (flags.empty()) return read(kind, spec);
  Spec with_flags = spec;
  const Status set = set_flags(kind, flags, precedence, with_flags);
  if (!set.ok()) return set.error();
  // If the SPEC is good without the flags, the last of them is to blame for what several keys do
  // together.
  if (read(kind, spec).ok()) with_flags.place = flags.back().place;
  return read(kind, with_flags);
}

std::string to_spec(const EnvironmentConfig& config) {
  return config.kind == EnvironmentKind::kWorld ? to_spec(config.world) : to_spec(config.data);
}

std::string value_of_flag(const EnvironmentConfig& config, std::string_view flag) {
  const EnvironmentFlag* const found = find_environment_flag(flag);
  HANDRAIL_ASSERT(found != nullptr);
  const FlagMeaning& meaning = found->meaning(config.kind);
  const bool is_world = config.kind == EnvironmentKind::kWorld;
  const ParameterValues& values = is_world ? config.world.values : config.data.values;
  if (!values.has(meaning.key)) return {};
  return std::string(meaning.prefix) + values.printed(meaning.key);
}

Result<std::unique_ptr<Environment>> EnvironmentShelf::make(const EnvironmentConfig& config,
                                                            std::uint64_t seed) {
  if (config.kind == EnvironmentKind::kWorld) return make_world(config.world, seed);
  const Result<const Dataset*> found = dataset(config.data);
  if (!found.ok()) return found.error();
  return make_data_environment(*found.value(), seed);
}

Result<const Dataset*> EnvironmentShelf::dataset(const DataConfig& config) {
  const std::string spec = to_spec(config);
  const auto found = datasets_.find(spec);
  if (found != datasets_.end()) return found->second.get();
  Result<DataTable> loaded = load_data(config, catalog_);
  if (!loaded.ok()) return loaded.error();
  const Status names = check_class_names(loaded.value());
  if (!names.ok()) return names.error();
  Result<Dataset> made = Dataset::make(std::move(loaded.value().table), loaded.value().config);
  if (!made.ok()) return made.error();
  auto kept = std::make_unique<Dataset>(std::move(made).value());
  return datasets_.emplace(spec, std::move(kept)).first->second.get();
}

void EnvironmentShelf::keep_only(const EnvironmentConfig& config) {
  const std::string spec = to_spec(config);
  std::erase_if(datasets_, [&](const auto& entry) {
    return entry.first != spec && entry.second->config().name != "-";
  });
}

}  // namespace handrail
