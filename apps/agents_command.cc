#include <cstdio>

#include "apps/commands.h"
#include "handrail/agent/config.h"
#include "handrail/base/assert.h"
#include "handrail/base/json.h"
#include "handrail/env/data_spec.h"
#include "handrail/env/world_spec.h"

namespace handrail {
namespace {

// Whose values are the parameters' defaults; the others are shown where they differ from it.
constexpr std::string_view kReferencePreset = "c-squarecb";

AgentConfig preset_by(std::string_view name) {
  Result<AgentConfig> config = find_preset(name);
  HANDRAIL_ASSERT(config.ok());
  return std::move(config).value();
}

std::vector<std::pair<std::string_view, std::string>> differences(const AgentConfig& config) {
  const AgentConfig reference = preset_by(kReferencePreset);
  std::vector<std::pair<std::string_view, std::string>> found;
  for (const Parameter& parameter : parameters()) {
    std::string value = parameter.print(config, parameter);
    if (value == parameter.print(reference, parameter)) continue;
    found.emplace_back(parameter.spec.name, std::move(value));
  }
  return found;
}

void print_preset(const Preset& preset) {
  std::printf("  %-16s %s\n", std::string(preset.name).c_str(),
              std::string(preset.meaning).c_str());
  std::string changes;
  for (const auto& [name, value] : differences(preset_by(preset.name))) {
    changes += (changes.empty() ? "" : ", ") + std::string(name) + "=" + value;
  }
  if (!changes.empty()) std::printf("  %-16s %s\n", "", changes.c_str());
}

void print_text() {
  std::printf("Agents: NAME[:key=value,...]. NAME@paper takes the paper's choices throughout.\n");
  for (const Preset& preset : presets()) print_preset(preset);
  std::printf("\nParameters, with the defaults of %s:\n", std::string(kReferencePreset).c_str());
  const AgentConfig reference = preset_by(kReferencePreset);
  for (const Parameter& parameter : parameters()) {
    std::printf("  %-20s %-10s %s\n  %-20s %-10s   %s\n", std::string(parameter.spec.name).c_str(),
                parameter.print(reference, parameter).c_str(),
                std::string(parameter.spec.meaning).c_str(), "", "",
                expected(parameter.spec).c_str());
  }
  std::printf("\nWorlds: NAME[:key=value,...].\n%s", worlds_as_text().c_str());
  std::printf(
      "\nData sets: NAME[:key=value,...]; `handrail data list` has names, docs/data.md more.\n"
      "keys\n%s",
      data_keys_as_text().c_str());
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

void write_parameter(JsonWriter& json, const Parameter& parameter) {
  json.begin_object();
  json.field("name", parameter.spec.name);
  json.field("group", parameter.group);
  const std::string preset = parameter.print(preset_by(kReferencePreset), parameter);
  json.field("default", std::string_view(preset));
  json.field("expected", std::string_view(expected(parameter.spec)));
  json.field("meaning", parameter.spec.meaning);
  json.end_object();
}

void print_json() {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("agents");
  json.begin_array();
  for (const Preset& preset : presets()) {
    write_preset(json, preset.name, preset.meaning);
    const std::string paper = std::string(preset.name) + "@paper";
    write_preset(json, paper, std::string(preset.meaning) + ", with the paper's choices");
  }
  json.end_array();
  json.key("parameters");
  json.begin_array();
  for (const Parameter& parameter : parameters()) write_parameter(json, parameter);
  json.end_array();
  json.key("worlds");
  write_worlds(json);
  json.key("data_keys");
  write_data_keys(json);
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
