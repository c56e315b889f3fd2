#include "handrail/data/openml.h"

#include <algorithm>
#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/data/http.h"
#include "handrail/data/openml_answer.h"
#include "handrail/data/openml_cache.h"
#include "handrail/data/openml_columns.h"
#include "handrail/data/openml_rows.h"
#include "handrail/data/openml_service.h"

namespace handrail {
namespace {

// Which set is asked for: an id, or a name with or without a version.
struct OpenmlName {
  std::optional<std::uint64_t> id = {};
  std::string name;  // in small letters, as OpenML compares them
  std::optional<std::uint64_t> version = {};

  std::string text() const {
    return version.has_value() ? name + "@" + std::to_string(*version) : name;
  }
};

Result<OpenmlName> parse_name(std::string_view text) {
  constexpr std::size_t kLongestName = 128;  // as OpenML has it
  const std::size_t at = text.rfind('@');
  OpenmlName name{.name = lower_case(text.substr(0, at))};
  if (text.find_first_not_of("0123456789") == std::string_view::npos) name.id = to_count(text);
  if (name.id.has_value()) return name;
  if (at != std::string_view::npos) name.version = to_count(text.substr(at + 1));
  const bool is_version = at == std::string_view::npos || name.version.has_value();
  const bool is_number = name.name.find_first_not_of("0123456789") == std::string::npos;
  if (name.name.size() > kLongestName || is_number || !is_version) {
    return Error{"an id, a name or NAME@VERSION was expected"};
  }
  return name;
}

struct Question {
  std::string address;
  std::string kept_path;  // where the answer is kept
};

struct Found {
  std::uint64_t id = 0;
  bool has_other_versions = false;
};

Result<OpenmlDescription> parse_usable(std::string_view text, std::uint64_t id) {
  Result<OpenmlDescription> description = parse_openml_description(text);
  if (!description.ok()) return description;
  const OpenmlDescription& of = description.value();
  const std::string who = of.name + ", version " + std::to_string(of.version) + ", ";
  if (of.status == "deactivated") {
    return Error{who + "is deactivated: OpenML has withdrawn it, and gives no reason"};
  }
  if (of.id != id) return Error{"the answer describes data set " + std::to_string(of.id)};
  const std::string format = lower_case(of.format);
  if (format != "arff" && format != "sparse_arff") {
    return Error{who + "has the format \"" + of.format + "\"; ARFF is read"};
  }
  return description;
}

class Finder {
 public:
  explicit Finder(const CatalogConfig& config) : config_(config), cache_(config.cache_dir) {}

  Result<OpenmlSet> find(const OpenmlName& name, std::string_view class_column) const {
    Result<Found> found = name.id.has_value() ? Found{.id = *name.id} : find_id(name);
    if (!found.ok()) return found.error();
    const std::uint64_t id = found.value().id;
    const Result<OpenmlDescription> description = describe(id);
    if (!description.ok()) return description.error();
    const auto features =
        learn(question("features/" + std::to_string(id), cache_.features_path(id)),
              parse_openml_features);
    if (!features.ok()) return features.error();
    if (!features.value().has_value()) return Error{"OpenML knows no columns of it"};
    Result<OpenmlColumns> columns =
        choose_openml_columns(description.value(), *features.value(), class_column);
    if (!columns.ok()) return columns.error();
    Result<std::string> path = find_openml_rows(description.value(), cache_, config_);
    if (!path.ok()) return path.error();
    return OpenmlSet{.id = id,
                     .name = description.value().name,
                     .version = description.value().version,
                     .has_other_versions = found.value().has_other_versions,
                     .path = std::move(path).value(),
                     .md5 = description.value().md5,
                     .class_column = std::move(columns.value().class_column),
                     .ignored_columns = std::move(columns.value().ignored)};
  }

 private:
  Question question(const std::string& what, std::string kept_path) const {
    return {config_.openml_address + "/api/v1/json/data/" + what, std::move(kept_path)};
  }

  // The answer as kept, else as asked for and then kept; none if OpenML has none. An answer that
  // does not parse is not kept.
  template <typename Parse>
  auto learn(const Question& question, const Parse& parse) const
      -> Result<std::optional<std::decay_t<decltype(parse(std::string_view()).value())>>> {
    using Answer = std::decay_t<decltype(parse(std::string_view()).value())>;
    const Result<std::string> kept = read_file(question.kept_path);
    if (kept.ok()) {
      auto known = parse(kept.value());
      if (known.ok()) return std::optional<Answer>(std::move(known).value());
    }
    if (config_.offline) return not_in_cache(cache_);
    const Result<std::optional<std::string>> text = ask_openml(question.address, config_);
    if (!text.ok()) return text.error();
    if (!text.value().has_value()) return std::optional<Answer>();
    auto parsed = parse(*text.value());
    if (!parsed.ok()) return Error{parsed.error().message + " (" + question.address + ")"};
    const Status stored = keep_file(question.kept_path, *text.value());
    if (!stored.ok()) return stored.error();
    return std::optional<Answer>(std::move(parsed).value());
  }

  Result<OpenmlDescription> describe(std::uint64_t id) const {
    auto description = learn(question(std::to_string(id), cache_.description_path(id)),
                             [id](std::string_view text) { return parse_usable(text, id); });
    if (!description.ok()) return description.error();
    if (!description.value().has_value()) return Error{"OpenML has no such data set"};
    return *std::move(description).value();
  }

  // A name and a version never change what they mean, so the cache may say it. Which version is
  // the first only OpenML knows.
  Result<Found> find_id(const OpenmlName& name) const {
    std::string kept_versions;
    for (const OpenmlDescription& kept : cache_.sets()) {
      if (lower_case(kept.name) != name.name) continue;
      if (name.version == kept.version) return Found{.id = kept.id};
      kept_versions += " openml:" + kept.name + "@" + std::to_string(kept.version);
    }
    Result<Found> found = ask_for_id(name);
    if (found.ok() || !config_.offline || kept_versions.empty()) return found;
    return Error{found.error().message + "; it holds" + kept_versions};
  }

  Result<Found> ask_for_id(const OpenmlName& name) const {
    const std::string list = "list/data_name/" + percent_encoded(name.name) + "/limit/2";
    const std::string filter = name.version.has_value()
                                   ? "/data_version/" + std::to_string(*name.version)
                                   : "/status/active/";
    const auto versions =
        learn(question(list + filter, cache_.name_path(name.text())), parse_openml_versions);
    if (!versions.ok()) return versions.error();
    if (versions.value().has_value()) return first_of(*versions.value());
    if (!name.version.has_value()) return Error{"OpenML has no active data set of that name"};
    return refuse_version(config_.openml_address + "/api/v1/json/data/" + list + filter);
  }

  static Found first_of(const std::vector<OpenmlVersion>& versions) {
    const auto first =
        std::min_element(versions.begin(), versions.end(),
                         [](const auto& a, const auto& b) { return a.version < b.version; });
    return {.id = first->id, .has_other_versions = versions.size() > 1};
  }

  // The list holds active sets only, unless one asks for others.
  Error refuse_version(const std::string& address) const {
    const auto withdrawn = ask_openml(address + "/status/deactivated", config_);
    if (!withdrawn.ok()) return withdrawn.error();
    if (!withdrawn.value().has_value()) return Error{"OpenML has no such version of that name"};
    return Error{"this version is deactivated: OpenML has withdrawn it, and gives no reason"};
  }

  const CatalogConfig& config_;
  OpenmlCache cache_;
};

Status check_config(const CatalogConfig& config) {
  const std::string& address = config.openml_address;
  if (!address.starts_with("http://") && !address.starts_with("https://")) {
    return Error{"the address of OpenML is \"" + address +
                 "\"; it has to begin with https:// or http://"};
  }
  if (config.cache_dir.empty()) {
    return Error{
        "there is no cache folder: neither --cache-dir nor HANDRAIL_CACHE nor HOME is set"};
  }
  return {};
}

}  // namespace

Result<OpenmlSet> find_openml(std::string_view name, const CatalogConfig& config,
                              std::string_view class_column) {
  const std::string place = "openml:" + std::string(name) + ": ";
  CatalogConfig checked = config;
  while (checked.openml_address.ends_with('/')) checked.openml_address.pop_back();
  const Status usable = check_config(checked);
  if (!usable.ok()) return Error{place + usable.error().message};
  const Result<OpenmlName> parsed = parse_name(name);
  if (!parsed.ok()) return Error{place + parsed.error().message};
  Result<OpenmlSet> found = Finder(checked).find(parsed.value(), class_column);
  if (!found.ok()) return Error{place + found.error().message};
  return found;
}

}  // namespace handrail
