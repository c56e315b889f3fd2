#include <cstdio>

#include "apps/commands.h"
#include "apps/environment_list.h"
#include "handrail/agent/config.h"
#include "handrail/base/assert.h"
#include "handrail/base/json.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

// Whose values are the parameters' defaults; the others are shown where they differ from it.
constexpr std::string_view kReferencePreset = "c-squarecb";

AgentConfig preset_by(std::string_view name) {
  Result<AgentConfig> config = find_preset(name);
  HANDRAIL_ASSERT(config.ok());
  return std::move(config).value();
}

std::vector<std::pair<std::string, std::string>> differences(const AgentConfig& config) {
  const AgentConfig reference = preset_by(kReferencePreset);
  std::vector<std::pair<std::string, std::string>> found(config.own.begin(), config.own.end());
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
    changes += (changes.empty() ? "" : ", ") + name + "=" + value;
  }
  if (!changes.empty()) std::printf("  %-16s %s\n", "", changes.c_str());
}

void print_parameter(const ParameterSpec& spec, const std::string& preset) {
  std::printf("  %-20s %-10s %s\n  %-20s %-10s   %s\n", std::string(spec.name).c_str(),
              preset.c_str(), std::string(spec.meaning).c_str(), "", "", expected(spec).c_str());
}

void print_own_parameters(const PolicyEntry& policy) {
  if (policy.parameters.empty()) return;
  std::printf("\nParameters of policy=%s alone:\n", std::string(policy.name).c_str());
  for (const ParameterSpec& spec : policy.parameters) {
    print_parameter(spec, std::string(spec.fallback));
  }
}

void print_text() {
  std::printf("Agents: NAME[:key=value,...]. NAME@paper takes the paper's choices throughout.\n");
  for (const Preset& preset : presets()) print_preset(preset);
  std::printf("\nParameters, with the defaults of %s:\n", std::string(kReferencePreset).c_str());
  const AgentConfig reference = preset_by(kReferencePreset);
  for (const Parameter& parameter : parameters()) {
    print_parameter(parameter.spec, parameter.print(reference, parameter));
  }
  for (const PolicyEntry* policy : policies()) print_own_parameters(*policy);
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

void write_parameter(JsonWriter& json, const ParameterSpec& spec, std::string_view group,
                     std::string_view preset) {
  json.begin_object();
  json.field("name", spec.name);
  json.field("group", group);
  json.field("default", preset);
  json.field("expected", std::string_view(expected(spec)));
  json.field("meaning", spec.meaning);
  json.end_object();
}

void write_policies(JsonWriter& json) {
  json.key("policies");
  json.begin_array();
  for (const PolicyEntry* policy : policies()) {
    json.begin_object();
    json.field("name", policy->name);
    json.field("meaning", policy->meaning);
    json.key("parameters");
    json.begin_array();
    for (const ParameterSpec& spec : policy->parameters) {
      write_parameter(json, spec, policy->name, spec.fallback);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_gates(JsonWriter& json) {
  json.key("gates");
  json.begin_array();
  for (const std::string_view gate : gate_words()) json.value(gate);
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
    const std::string paper = std::string(preset.name) + "@paper";
    write_preset(json, paper, std::string(preset.meaning) + ", with the paper's choices");
  }
  json.end_array();
  json.key("parameters");
  json.begin_array();
  const AgentConfig reference = preset_by(kReferencePreset);
  for (const Parameter& parameter : parameters()) {
    write_parameter(json, parameter.spec, parameter.group, parameter.print(reference, parameter));
  }
  json.end_array();
  write_policies(json);
  write_gates(json);
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
