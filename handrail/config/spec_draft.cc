#include "handrail/config/spec_draft.h"

#include <utility>

#include "handrail/base/assert.h"

namespace handrail {

bool SpecDraft::takes(const Setting& setting) const {
  const std::string_view key = setting.key;
  return key.starts_with(prefix_) && (key.size() == prefix_.size() || key[prefix_.size()] == '.');
}

Status SpecDraft::set(const Setting& setting) {
  const bool is_whole = setting.key.size() == prefix_.size();
  Setting part = setting;
  if (!is_whole) {
    if (part.value.find(',') != std::string::npos) return expected(part, "a value without commas");
    part.key = setting.key.substr(prefix_.size() + 1);
  }
  if (!is_whole && part.key != name_key_) {
    parts_.push_back(std::move(part));
    return {};
  }
  if (is_whole && setting.value.empty()) {
    return error_at(setting, setting.key + " is empty; a SPEC was expected");
  }
  Result<Spec> spec = parse_spec(setting, form_);
  if (!spec.ok()) return spec.error();
  if (is_whole) parts_.clear();
  whole_ = std::move(spec).value();
  named_ = true;
  return {};
}

void SpecDraft::begin_with(Spec spec) {
  whole_ = std::move(spec);
  named_ = true;
  parts_.clear();
}

Spec SpecDraft::spec(std::string_view otherwise) const {
  Spec spec = whole_;
  if (!named_) spec.name = otherwise;
  if (!named_ && given()) spec.place = place();
  for (const Setting& part : parts_) {
    const Status done = set_key(spec, part);
    HANDRAIL_ASSERT(done.ok());  // set() has refused commas
  }
  return spec;
}

}  // namespace handrail
