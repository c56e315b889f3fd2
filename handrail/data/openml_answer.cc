#include "handrail/data/openml_answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "handrail/base/text.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

// Numbers come as numbers or as text, lists of one as that one, and nothing as an absent field,
// null or an empty list: the answers are made from XML. Remembers the first field that is missing.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  std::uint64_t count(const char* name) {
    const Json* found = find(name);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    std::optional<std::uint64_t> number;
    if (found != nullptr && found->is_string()) number = to_count(found->get<std::string>());
    if (!number.has_value()) complain(name, "a number that counts");
    return number.value_or(0);
  }
  std::string text(const char* name) {
    const Json* found = find(name);
    if (found != nullptr && found->is_string()) return found->get<std::string>();
    complain(name, "a text");
    return {};
  }
  std::vector<std::string> texts(const char* name) const {
    const Json* found = find(name);
    std::vector<std::string> values;
    if (found == nullptr) return values;
    if (found->is_string()) return {found->get<std::string>()};
    for (const Json& each : *found) {
      if (each.is_string()) values.push_back(each.get<std::string>());
    }
    return values;
  }
  std::string text_or_nothing(const char* name) const {
    std::string joined;
    for (const std::string& each : texts(name)) joined += (joined.empty() ? "" : ",") + each;
    return joined;
  }
  bool truth(const char* name) const {
    const Json* found = find(name);
    return found != nullptr && (*found == Json(true) || *found == Json("true"));
  }
  Status status() const {
    if (complaint_.empty()) return {};
    return Error{complaint_};
  }

 private:
  const Json* find(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  void complain(const char* name, const char* expected) {
    if (!complaint_.empty()) return;
    complaint_ = std::string("the answer's ") + name + " is not there or not " + expected;
  }

  const Json& object_;
  std::string complaint_;
};

// The value two names deep; null if the text is no JSON or has none.
Json at(std::string_view text, const char* outer, const char* inner) {
  Json whole = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!whole.is_object() || !whole.contains(outer)) return nullptr;
  Json found = std::move(whole[outer]);
  if (inner == nullptr) return found;
  if (!found.is_object() || !found.contains(inner)) return nullptr;
  return std::move(found[inner]);
}

// A list of one may come as that one.
Json list_at(std::string_view text, const char* outer, const char* inner) {
  Json found = at(text, outer, inner);
  if (found.is_object()) return Json::array({std::move(found)});
  return found;
}

Error unexpected(const char* what) {
  return Error{std::string("the answer is not what OpenML gives: it has no ") + what};
}

bool is_md5(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<OpenmlDescription> parse_openml_description(std::string_view text) {
  const Json object = at(text, "data_set_description", nullptr);
  if (!object.is_object()) return unexpected("data_set_description");
  Fields fields(object);
  OpenmlDescription description{
      .id = fields.count("id"),
      .name = fields.text("name"),
      .version = fields.count("version"),
      .status = fields.text_or_nothing("status"),
      .format = fields.text("format"),
      .file_id = fields.count("file_id"),
      .url = fields.text_or_nothing("url"),
      .md5 = lower_case(fields.text("md5_checksum")),
      .target = fields.text_or_nothing("default_target_attribute"),
      .ignored = fields.texts("ignore_attribute"),
  };
  for (std::string& name : fields.texts("row_id_attribute")) {
    description.ignored.push_back(std::move(name));
  }
  if (!fields.status().ok()) return fields.status().error();
  if (!is_md5(description.md5)) {
    return Error{"the answer's md5_checksum is \"" + description.md5 +
                 "\"; 32 hexadecimal digits were expected"};
  }
  return description;
}

Result<std::vector<OpenmlFeature>> parse_openml_features(std::string_view text) {
  const Json list = list_at(text, "data_features", "feature");
  if (!list.is_array() || list.empty()) return unexpected("list of features");
  std::vector<OpenmlFeature> features;
  for (const Json& each : list) {
    Fields fields(each);
    features.push_back(
        {.name = fields.text("name"),
         .kind = fields.text("data_type"),
         .is_target = fields.truth("is_target"),
         .is_ignored = fields.truth("is_ignore") || fields.truth("is_row_identifier")});
    if (!fields.status().ok()) return fields.status().error();
  }
  return features;
}

Result<std::vector<OpenmlVersion>> parse_openml_versions(std::string_view text) {
  const Json list = list_at(text, "data", "dataset");
  if (!list.is_array() || list.empty()) return unexpected("list of data sets");
  std::vector<OpenmlVersion> versions;
  for (const Json& each : list) {
    Fields fields(each);
    versions.push_back({.id = fields.count("did"),
                        .name = fields.text("name"),
                        .version = fields.count("version")});
    if (!fields.status().ok()) return fields.status().error();
  }
  return versions;
}

std::optional<OpenmlRefusal> parse_openml_refusal(std::string_view text) {
  const Json object = at(text, "error", nullptr);
  Fields fields(object);
  OpenmlRefusal refusal{.code = fields.count("code"), .message = fields.text("message")};
  if (!fields.status().ok()) return std::nullopt;
  return refusal;
}

}  // namespace handrail
