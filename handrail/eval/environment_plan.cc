#include "handrail/eval/environment_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/text.h"
#include "handrail/data/find_column.h"
#include "handrail/env/data_environment.h"
#include "handrail/env/world.h"

namespace handrail {
namespace {

struct FlagKey {
  std::string_view flag;
  std::string_view world_key;  // empty: worlds have no such key
  std::string_view data_key;
};
constexpr std::array<FlagKey, 7> kFlags = {{
    {"noise", "noise", "noise"},
    {"delay", "delay", "delay"},
    {"baseline", "rank", "baseline"},
    {"baseline-known", "", "baseline_known"},
    {"class", "", "class"},
    {"costs", "", "costs"},
    {"cost-max", "", "cost_max"},
}};

bool has_key(std::string_view spec, std::size_t colon, std::string_view key) {
  if (colon == std::string_view::npos) return false;
  const std::vector<std::string_view> parts = split(spec.substr(colon + 1), ',');
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return part.substr(0, part.find('=')) == key; });
}

// What a flag says, as the value of a world's key; empty if it says nothing new.
Result<std::string> world_value(const Setting& flag) {
  if (flag.key == "noise" || flag.key == "delay") return flag.value;
  if (flag.key == "baseline") {
    if (flag.value.starts_with("rank:")) return flag.value.substr(5);
    return expected(flag, "rank:N, which is what worlds have,");
  }
  if (flag.key == "baseline-known") {
    if (flag.value == "per_round") return std::string();
    return expected(flag, "per_round, the only kind that worlds have,");
  }
  return error_at(flag, flag.key + " is for data sets only, and a world was named");
}

Result<std::string> data_value(const Setting& flag) {
  std::string value = flag.value;
  if (flag.key == "costs") std::ranges::replace(value, ',', '|');
  if (value.find(',') != std::string::npos) return expected(flag, "a value without commas");
  return value;
}

Result<EnvironmentPlan> parse(EnvironmentKind kind, std::string_view spec) {
  EnvironmentPlan plan;
  plan.kind = kind;
  if (kind == EnvironmentKind::kWorld) {
    const Result<WorldConfig> world = parse_world(spec);
    if (!world.ok()) return world.error();
    plan.world = world.value();
  } else {
    const Result<DataConfig> data = parse_data_spec(spec);
    if (!data.ok()) return data.error();
    plan.data = data.value();
  }
  return plan;
}

// CSV and LIBSVM do not say what is a class. Whole numbers may be names of classes; 0.5 and 1.5 are
// measurements, and each would become an arm.
Status check_class_names(const Table& table, const DataConfig& config) {
  const Result<std::size_t> found = find_class_column(table, config.class_column);
  if (!found.ok()) return {};  // Dataset::make() will say so
  const Column& column = table.columns()[found.value()];
  const auto is_number = [](const std::string& value) { return to_number(value).has_value(); };
  const auto is_whole = [](const std::string& value) {
    return std::fmod(*to_number(value), 1.0) == 0.0;
  };
  if (column.values.empty() || !std::ranges::all_of(column.values, is_number)) return {};
  const auto broken = std::ranges::find_if_not(column.values, is_whole);
  if (broken == column.values.end()) return {};
  return Error{config.name + ": column \"" + column.name + "\" holds numbers such as " + *broken +
               "; a class column holds names or whole numbers"};
}

// ARFF does. A format that is asked for goes before the source's own, as in read_source().
bool declares_classes(const DataSource& source, TableFormat asked) {
  const TableFormat told = asked == TableFormat::kAuto ? source.format : asked;
  return std::ranges::all_of(source.paths, [told](const std::string& path) {
    return (told == TableFormat::kAuto ? table_format_of(path) : told) == TableFormat::kArff;
  });
}

}  // namespace

bool is_environment_flag(std::string_view key) {
  return std::ranges::find(kFlags, key, &FlagKey::flag) != kFlags.end();
}

std::vector<std::string_view> with_environment_flags(std::span<const std::string_view> keys) {
  std::vector<std::string_view> all(keys.begin(), keys.end());
  for (const FlagKey& flag : kFlags) all.push_back(flag.flag);
  return all;
}

std::string with_key(std::string_view spec, std::size_t colon, std::string_view key,
                     std::string_view value) {
  std::string text(spec.substr(0, colon));
  char separator = ':';
  const std::string_view parts =
      colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  for (const std::string_view part : split(parts, ',')) {
    if (part.empty() || part.substr(0, part.find('=')) == key) continue;
    text += separator + std::string(part);
    separator = ',';
  }
  return text + separator + std::string(key) + "=" + std::string(value);
}

Result<EnvironmentPlan> plan_environment(const Setting& named, std::span<const Setting> flags,
                                         Precedence precedence) {
  const bool is_world = named.key == to_text(EnvironmentKind::kWorld);
  HANDRAIL_ASSERT(is_world || named.key == to_text(EnvironmentKind::kData));
  const EnvironmentKind kind = is_world ? EnvironmentKind::kWorld : EnvironmentKind::kData;
  std::string text = named.value;
  for (const Setting& flag : flags) {
    const auto entry = std::ranges::find(kFlags, flag.key, &FlagKey::flag);
    HANDRAIL_ASSERT(entry != kFlags.end());
    const std::string_view key = is_world ? entry->world_key : entry->data_key;
    const std::size_t colon = is_world ? text.find(':') : keys_of_data_spec(text);
    if (precedence == Precedence::kSpec && has_key(text, colon, key)) continue;
    const Result<std::string> value = is_world ? world_value(flag) : data_value(flag);
    if (!value.ok()) return value.error();
    if (!key.empty()) text = with_key(text, colon, key, value.value());
  }
  Result<EnvironmentPlan> plan = parse(kind, text);
  if (plan.ok()) return plan;
  // If the SPEC is good without the flags, the last of them is to blame.
  const bool is_flag = !flags.empty() && parse(kind, named.value).ok();
  return error_at(is_flag ? flags.back() : named, plan.error().message);
}

std::string to_spec(const EnvironmentPlan& plan) {
  return plan.kind == EnvironmentKind::kWorld ? to_spec(plan.world) : to_spec(plan.data);
}

Result<std::unique_ptr<Environment>> EnvironmentShelf::make(const EnvironmentPlan& plan,
                                                            std::uint64_t seed) {
  if (plan.kind == EnvironmentKind::kWorld) {
    WorldConfig world = plan.world;
    world.seed = seed;
    return make_world(world);
  }
  const Result<const Dataset*> found = dataset(plan.data);
  if (!found.ok()) return found.error();
  return make_data_environment(*found.value(), seed);
}

Result<const Dataset*> EnvironmentShelf::dataset(const DataConfig& config) {
  const std::string spec = to_spec(config);
  const auto found = datasets_.find(spec);
  if (found != datasets_.end()) return found->second.get();
  Result<DataSource> source = locate(config.name, catalog_, config.class_column);
  if (!source.ok()) return source.error();
  DataConfig resolved = config;
  if (resolved.class_column.empty()) resolved.class_column = source.value().class_column;
  for (const std::string& name : source.value().ignored_columns) {
    if (std::ranges::count(resolved.ignored_columns, name) == 0) {
      resolved.ignored_columns.push_back(name);
    }
  }
  ReadOptions options{.format = config.format, .header = config.header};
  if (config.cost_columns.empty()) options.nominal_columns = {resolved.class_column};
  if (config.baseline.starts_with(kColumnBaseline)) {
    options.nominal_columns.push_back(config.baseline.substr(kColumnBaseline.size()));
  }
  Result<Table> table = read_source(source.value(), options);
  if (!table.ok()) return table.error();
  if (resolved.cost_columns.empty() && !declares_classes(source.value(), config.format)) {
    const Status names = check_class_names(table.value(), resolved);
    if (!names.ok()) return names.error();
  }
  Result<Dataset> made = Dataset::make(std::move(table).value(), resolved);
  if (!made.ok()) return made.error();
  auto kept = std::make_unique<Dataset>(std::move(made).value());
  return datasets_.emplace(spec, std::move(kept)).first->second.get();
}

void EnvironmentShelf::keep_only(const DataConfig& config) {
  const std::string spec = to_spec(config);
  std::erase_if(datasets_, [&](const auto& entry) {
    return entry.first != spec && entry.second->config().name != "-";
  });
}

}  // namespace handrail
