#include "handrail/agent/toml_settings.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "handrail/base/bytes.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

struct Placed {
  toml::source_position position;
  Setting setting;
};

std::string place_of(const std::string& path, const toml::source_position& position) {
  return path + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* real = node.as_floating_point()) return to_text(real->get());
  if (const auto* truth = node.as_boolean()) return std::string(truth->get() ? "yes" : "no");
  return std::nullopt;
}

// One setting an element.
Status flatten_list(const toml::array& list, const std::string& name, const std::string& path,
                    std::vector<Placed>& out) {
  for (const toml::node& element : list) {
    const std::string place = place_of(path, element.source().begin);
    std::optional<std::string> value = text_of(element);
    if (!value.has_value()) {
      return Error{place + ": an element of " + name + " is neither text, number, true nor false"};
    }
    out.push_back(
        {element.source().begin, {name + std::string(kListMark), *std::move(value), place}});
  }
  return {};
}

Status flatten(const toml::table& table, const std::string& prefix, const std::string& path,
               std::vector<Placed>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    const std::string place = place_of(path, node.source().begin);
    if (const toml::table* inner = node.as_table()) {
      const Status flat = flatten(*inner, name + ".", path, out);
      if (!flat.ok()) return flat;
      continue;
    }
    if (const toml::array* list = node.as_array()) {
      const Status listed = flatten_list(*list, name, path, out);
      if (!listed.ok()) return listed;
      continue;
    }
    std::optional<std::string> value = text_of(node);
    if (!value.has_value()) {
      return Error{place + ": " + name + " is neither text, number, true nor false"};
    }
    out.push_back({node.source().begin, {name, *std::move(value), place}});
  }
  return {};
}

// The parser follows nested brackets and dots as deep as they go, on its own stack. No setting of
// ours needs a line anywhere near this long.
Status check_line_lengths(const std::string& text, const std::string& path) {
  constexpr std::size_t kLongest = 4096;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.size() > kLongest) {
      return Error{path + ":" + std::to_string(number) + ": a line of " +
                   std::to_string(line.size()) + " bytes; at most 4096 are read"};
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Setting>> read_toml(const std::string& path) {
  const Result<std::string> text = read_file(path == "-" ? "/dev/stdin" : path);
  if (!text.ok()) return text.error();
  const Status lines = check_line_lengths(text.value(), path);
  if (!lines.ok()) return lines.error();
  const toml::parse_result parsed = toml::parse(text.value(), path);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Error{place_of(path, error.source().begin) + ": " + std::string(error.description())};
  }
  std::vector<Placed> placed;
  const Status flat = flatten(parsed.table(), "", path, placed);
  if (!flat.ok()) return flat.error();
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  std::vector<Setting> settings;
  for (Placed& each : placed) settings.push_back(std::move(each.setting));
  return settings;
}

}  // namespace handrail
