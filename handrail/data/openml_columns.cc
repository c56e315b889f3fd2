#include "handrail/data/openml_columns.h"

#include <algorithm>

#include "handrail/base/text.h"

namespace handrail {
namespace {

using Features = std::span<const OpenmlFeature>;

const OpenmlFeature* find_feature(Features features, std::string_view name) {
  const auto found = std::find_if(features.begin(), features.end(),
                                  [name](const auto& each) { return each.name == name; });
  return found == features.end() ? nullptr : &*found;
}

std::string_view without_space(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// A text that is the name of a column, or several names with commas between them.
std::vector<std::string_view> column_names(Features features, std::string_view text) {
  if (text.empty()) return {};
  if (find_feature(features, text) != nullptr) return {text};
  std::vector<std::string_view> names = split(text, ',');
  for (std::string_view& name : names) name = without_space(name);
  return names;
}

// The first few, in quotes.
std::string listed(std::span<const std::string_view> names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) {
    text += (i == 0 ? "\"" : ", \"") + std::string(names[i]) + "\"";
  }
  return names.size() > kShown ? text + ", ..." : text;
}

Status check_kinds(Features features) {
  std::vector<std::string_view> refused;
  for (const OpenmlFeature& feature : features) {
    if (feature.kind != "numeric" && feature.kind != "nominal") refused.push_back(feature.name);
  }
  if (refused.empty()) return {};
  return Error{std::to_string(refused.size()) + " of its " + std::to_string(features.size()) +
               " columns hold text or dates, which are not read: " + listed(refused)};
}

Result<std::string> choose_class(Features features, std::span<const std::string_view> targets,
                                 std::string_view wanted) {
  if (wanted.empty() && targets.empty()) {
    return Error{"it names no class column; choose one"};
  }
  if (wanted.empty() && targets.size() > 1) {
    return Error{"it has " + std::to_string(targets.size()) + " target columns, " +
                 listed(targets) + "; choose one of them as the class"};
  }
  const std::string_view chosen = wanted.empty() ? targets.front() : wanted;
  const OpenmlFeature* feature = find_feature(features, chosen);
  if (feature == nullptr) {
    std::vector<std::string_view> known;
    for (const OpenmlFeature& each : features) known.push_back(each.name);
    return Error{"its class was to be column \"" + std::string(chosen) +
                 "\", and it has none of that name; the nearest is \"" +
                 std::string(nearest(chosen, known)) + "\""};
  }
  if (feature->kind != "nominal") {
    return Error{"its class column \"" + feature->name + "\" is " + feature->kind +
                 "; a class has to be nominal"};
  }
  return feature->name;
}

}  // namespace

Result<OpenmlColumns> choose_openml_columns(const OpenmlDescription& description,
                                            std::span<const OpenmlFeature> features,
                                            std::string_view class_column) {
  const Status readable = check_kinds(features);
  if (!readable.ok()) return readable.error();
  std::vector<std::string_view> targets = column_names(features, description.target);
  if (targets.empty()) {
    for (const OpenmlFeature& feature : features) {
      if (feature.is_target) targets.push_back(feature.name);
    }
  }
  const Result<std::string> chosen = choose_class(features, targets, class_column);
  if (!chosen.ok()) return chosen.error();
  std::vector<std::string_view> aside;
  for (const std::string& text : description.ignored) {
    for (const std::string_view name : column_names(features, text)) aside.push_back(name);
  }
  if (targets.size() > 1) aside.insert(aside.end(), targets.begin(), targets.end());
  OpenmlColumns columns{.class_column = chosen.value(), .ignored = {}};
  for (const OpenmlFeature& feature : features) {
    const bool is_named = std::find(aside.begin(), aside.end(), feature.name) != aside.end();
    if (feature.name == chosen.value() || (!feature.is_ignored && !is_named)) continue;
    columns.ignored.push_back(feature.name);
  }
  return columns;
}

}  // namespace handrail
