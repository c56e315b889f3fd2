// A SPEC as settings give it: whole, or in parts such as `agent.lr`, over files and flags.
#pragma once

#include <string_view>
#include <vector>

#include "handrail/config/spec.h"

namespace handrail {

// A later setting overrides an earlier one of the same key; a whole SPEC forgets the parts before
// it; the part that names it forgets the whole SPEC before it and keeps the other parts.
class SpecDraft {
 public:
  // "agent" for `agent` and `agent.KEY`; `name_key` is the KEY that holds the name.
  SpecDraft(std::string_view prefix, std::string_view name_key, NameForm form)
      : prefix_(prefix), name_key_(name_key), form_(form) {}

  // Whether the setting is about this SPEC.
  bool takes(const Setting& setting) const;
  // Refuses what is no SPEC and no value of one. Only for a setting that it takes.
  Status set(const Setting& setting);
  // Begins anew with a SPEC that was parsed before.
  void begin_with(Spec spec);

  bool given() const { return named_ || !parts_.empty(); }
  bool named() const { return named_; }
  // The place to blame for the whole of it. Only where something was given.
  const std::string& place() const { return named_ ? whole_.place : parts_.front().place; }
  // Where no name was given, that of `otherwise`.
  Spec spec(std::string_view otherwise) const;

 private:
  std::string_view prefix_;
  std::string_view name_key_;
  NameForm form_;
  bool named_ = false;
  Spec whole_;
  std::vector<Setting> parts_;
};

}  // namespace handrail
