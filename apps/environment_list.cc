#include "apps/environment_list.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/config/parameter_list.h"
#include "handrail/data/format_registry.h"
#include "handrail/env/data_spec.h"
#include "handrail/env/world_registry.h"
#include "handrail/env/world_spec.h"

namespace handrail {
namespace {

// The world as its name alone makes it.
std::string full_spec(const WorldEntry& world) {
  return to_spec(read_world({.name = std::string(world.name)}).value());
}

bool is_shared(const ParameterSpec* row) {
  return std::ranges::count_if(worlds(), [&](const WorldEntry* world) {
           return std::ranges::count(world->parameters, row) > 0;
         }) > 1;
}

std::vector<const ParameterSpec*> shared_rows() {
  std::vector<const ParameterSpec*> rows;
  for (const WorldEntry* const world : worlds()) {
    for (const ParameterSpec* const row : world->parameters) {
      if (is_shared(row) && std::ranges::count(rows, row) == 0) rows.push_back(row);
    }
  }
  return rows;
}

std::string worlds_as_text() {
  std::string text = "\nWorlds: NAME[:key=value,...].\n";
  for (const WorldEntry* const world : worlds()) {
    text += std::string(world->name) + "\n    " + std::string(world->meaning) + "\n    " +
            full_spec(*world) + "\n";
  }
  text += "\nKeys of worlds:\n";
  for (const ParameterSpec* const row : shared_rows()) text += parameter_as_text(*row);
  for (const WorldEntry* const world : worlds()) {
    std::string own;
    for (const ParameterSpec* const row : world->parameters) {
      if (!is_shared(row)) own += parameter_as_text(*row);
    }
    if (own.empty()) continue;
    text += "\nKeys of " + std::string(world->name) + " alone:\n" + own;
  }
  return text;
}

std::vector<std::string_view> endings_of(const FormatEntry& format) {
  std::vector<std::string_view> endings;
  for (const FormatEnding& ending : format.endings) endings.push_back(ending.text);
  return endings;
}

std::string data_as_text() {
  std::string text =
      "\nData sets: NAME[:key=value,...]; `handrail data list` has names, docs/data.md more.\n";
  for (const ParameterSpec& row : data_rows()) text += parameter_as_text(row);
  text += "\nData formats:\n";
  for (const FormatEntry* const format : formats()) {
    text += std::string(format->name) + "\n    " + std::string(format->meaning) + "\n    " +
            join(endings_of(*format), ", ") + "\n";
  }
  return text;
}

void write_world(JsonWriter& json, const WorldEntry& world) {
  json.begin_object();
  json.field("name", world.name);
  json.field("meaning", world.meaning);
  json.key("keys");
  json.begin_array();
  for (const ParameterSpec* const row : world.parameters) write_parameter(json, *row);
  json.end_array();
  json.end_object();
}

void write_format(JsonWriter& json, const FormatEntry& format) {
  json.begin_object();
  json.field("name", format.name);
  json.field("meaning", format.meaning);
  json.key("endings");
  json.begin_array();
  for (const std::string_view ending : endings_of(format)) json.value(ending);
  json.end_array();
  json.key("declares_classes");
  json.boolean(format.declares_classes);
  json.end_object();
}

}  // namespace

std::string environments_as_text() {
  return worlds_as_text() + data_as_text();
}

void write_environments(JsonWriter& json) {
  json.key("worlds");
  json.begin_array();
  for (const WorldEntry* const world : worlds()) write_world(json, *world);
  json.end_array();
  json.key("data_keys");
  json.begin_array();
  for (const ParameterSpec& row : data_rows()) write_parameter(json, row);
  json.end_array();
  json.key("data_formats");
  json.begin_array();
  for (const FormatEntry* const format : formats()) write_format(json, *format);
  json.end_array();
}

}  // namespace handrail
