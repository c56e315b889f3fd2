#include <algorithm>
#include <cstdio>

#include "apps/commands.h"
#include "apps/environment_list.h"
#include "handrail/agent/config.h"
#include "handrail/agent/presets.h"
#include "handrail/base/assert.h"
#include "handrail/base/json.h"
#include "handrail/config/parameter_list.h"
#include "handrail/oracle/registry.h"
#include "handrail/policy/registry.h"
#include "handrail/safety/registry.h"

namespace handrail {
namespace {

// Whose values are the parameters' defaults; the others are shown where they differ from it.
constexpr std::string_view kReferencePreset = kDefaultAgent;

// Before anything is settled: what is auto depends on the other choices.
AgentConfig preset_by(std::string_view name) {
  Result<AgentConfig> config = read_agent({.name = std::string(name)});
  HANDRAIL_ASSERT(config.ok());
  return std::move(config).value();
}

// The settings of an agent: the common parameters in which it differs from the reference, and the
// parameters of its parts that are not at their fallbacks.
std::string differences(const AgentConfig& config, const AgentConfig& reference) {
  std::string changes;
  const auto add = [&](std::string_view name, std::string_view value, std::string_view usual) {
    if (value == usual) return;
    changes.append(changes.empty() ? "" : ", ").append(name).append("=").append(value);
  };
  for (std::size_t i = 0; i < config.common.size(); ++i) {
    const std::string_view name = config.common.row(i).name;
    add(name, config.common.printed(name), reference.common.printed(name));
  }
  for (const ParameterValues* own : {&config.policy_own, &config.oracle_own, &config.gate_own}) {
    for (std::size_t i = 0; i < own->size(); ++i) {
      add(own->row(i).name, own->value(i).text, own->row(i).fallback);
    }
  }
  return changes;
}

void print_preset(const Preset& preset, const AgentConfig& reference) {
  const std::string name(preset.name);
  std::printf("  %-16s %s\n", name.c_str(), std::string(preset.meaning).c_str());
  const std::string changes = differences(preset_by(preset.name), reference);
  if (!changes.empty()) std::printf("  %-16s %s\n", "", changes.c_str());
}

// The parts of one kind with what is theirs alone.
template <typename Entry>
void print_parts(const char* kind, std::span<const Entry* const> entries) {
  std::printf("\n%s=NAME:\n", kind);
  for (const Entry* entry : entries) {
    std::printf("  %-20s %s\n", std::string(entry->name).c_str(),
                std::string(entry->meaning).c_str());
  }
  for (const Entry* entry : entries) {
    if (entry->parameters.empty()) continue;
    std::printf("\nParameters of %s=%s alone:\n", kind, std::string(entry->name).c_str());
    for (const ParameterSpec& row : entry->parameters) {
      std::printf("%s", parameter_as_text(row).c_str());
    }
  }
}

void print_text() {
  std::printf("Agents: NAME[:key=value,...]. NAME@paper takes the paper's choices throughout.\n");
  const AgentConfig reference = preset_by(kReferencePreset);
  for (const Preset& preset : presets()) print_preset(preset, reference);
  std::printf("\nParameters, with the defaults of %s:\n", std::string(kReferencePreset).c_str());
  const ParameterValues& common = reference.common;
  for (std::size_t i = 0; i < common.size(); ++i) {
    std::printf(
        "%s",
        parameter_as_text(common.row(i), print_value(common.row(i), common.value(i))).c_str());
  }
  print_parts("policy", policies());
  print_parts("oracle", oracles());
  print_parts("gate", gates());
  std::printf("%s", environments_as_text().c_str());
}

void write_preset(JsonWriter& json, std::string_view name, std::string_view meaning) {
  json.begin_object();
  json.field("name", name);
  json.field("meaning", meaning);
  json.key("parameters");
  json.begin_object();
  for (const auto& [key, value] : print_parameters(preset_by(name))) {
    json.field(key, std::string_view(value));
  }
  json.end_object();
  json.end_object();
}

template <typename Entry>
void write_traits(JsonWriter& json, std::span<const Trait<Entry>> traits, const Entry& entry) {
  json.key("traits");
  json.begin_object();
  for (const Trait<Entry>& trait : traits) {
    json.key(trait.name);
    json.boolean(entry.*trait.member);
  }
  json.end_object();
}

void write_own_traits(JsonWriter& json, const PolicyEntry& entry) {
  write_traits(json, policy_traits(), entry);
}
void write_own_traits(JsonWriter& json, const OracleEntry& entry) {
  write_traits(json, oracle_traits(), entry);
}
void write_own_traits(JsonWriter& json, const GateEntry& entry) {
  write_traits(json, gate_traits(), entry.traits);
}

// "common" names the rows of the list "parameters" that the part reads.
template <typename Entry>
void write_parts(JsonWriter& json, std::string_view kind, std::span<const Entry* const> entries) {
  json.key(kind);
  json.begin_array();
  for (const Entry* entry : entries) {
    json.begin_object();
    json.field("name", entry->name);
    json.field("meaning", entry->meaning);
    write_own_traits(json, *entry);
    json.key("common");
    json.begin_array();
    for (const ParameterSpec* row : entry->common) json.value(row->name);
    json.end_array();
    json.key("parameters");
    json.begin_array();
    for (const ParameterSpec& row : entry->parameters) write_parameter(json, row);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_common(JsonWriter& json) {
  const AgentConfig reference = preset_by(kReferencePreset);
  json.key("parameters");
  json.begin_array();
  const ParameterValues& common = reference.common;
  for (std::size_t i = 0; i < common.size(); ++i) {
    write_parameter(json, common.row(i), print_value(common.row(i), common.value(i)));
  }
  json.end_array();
}

void print_json() {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("agents");
  json.begin_array();
  for (const Preset& preset : presets()) {
    write_preset(json, preset.name, preset.meaning);
    const std::string paper = std::string(preset.name) + std::string(kPaperSuffix);
    write_preset(json, paper, std::string(preset.meaning) + ", with the paper's choices");
  }
  json.end_array();
  write_common(json);
  write_parts(json, "policies", policies());
  write_parts(json, "oracles", oracles());
  write_parts(json, "gates", gates());
  write_environments(json);
  json.end_object();
  std::printf("%s\n", text.c_str());
}

}  // namespace

int agents_command(bool json) {
  if (json) {
    print_json();
  } else {
    print_text();
  }
  return kExitYes;
}

}  // namespace handrail
