#include "handrail/config/parameter_list.h"

namespace handrail {
namespace {

constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kDefaultWidth = 10;

// The text and a space, wider if that is less than `width` and a space.
std::string padded(std::string_view text, std::size_t width) {
  std::string cell(text);
  if (cell.size() < width) cell.resize(width, ' ');
  return cell + ' ';
}

// For programs that check values before they give them: the ends of the range, null
// where there is none, and the words.
void write_bounds(JsonWriter& json, const ParameterSpec& row) {
  if (row.low != row.high) {
    json.field("low", row.low);
    json.field("high", row.high);
  }
  const std::vector<std::string_view> words = words_of(row);
  if (words.empty()) return;
  json.key("words");
  json.begin_array();
  for (const std::string_view word : words) json.value(word);
  json.end_array();
}

}  // namespace

std::string parameter_as_text(const ParameterSpec& row, std::string_view fallback) {
  const std::string margin(kNameWidth + kDefaultWidth + 6, ' ');
  return "  " + padded(row.name, kNameWidth) + padded(fallback, kDefaultWidth) +
         std::string(row.meaning) + "\n" + margin + expected(row) + "\n";
}

std::string parameter_as_text(const ParameterSpec& row) {
  return parameter_as_text(row, row.fallback);
}

void write_parameter(JsonWriter& json, const ParameterSpec& row, std::string_view fallback) {
  json.begin_object();
  json.field("name", row.name);
  if (!row.group.empty()) json.field("group", row.group);
  json.field("default", fallback);
  json.field("expected", std::string_view(expected(row)));
  write_bounds(json, row);
  json.field("meaning", row.meaning);
  json.end_object();
}

void write_parameter(JsonWriter& json, const ParameterSpec& row) {
  write_parameter(json, row, row.fallback);
}

}  // namespace handrail
