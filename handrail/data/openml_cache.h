// What has once been fetched from OpenML, kept for ever: a set, by id, never changes. Under
// CACHE/openml lie ID/description.json, ID/features.json and ID/rows.arff, and under names/ which
// id a name stands for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/openml_answer.h"

namespace handrail {

class OpenmlCache {
 public:
  explicit OpenmlCache(const std::string& cache_dir) : folder_(cache_dir + "/openml") {}

  const std::string& folder() const { return folder_; }
  std::string description_path(std::uint64_t id) const { return in(id, "description.json"); }
  std::string features_path(std::uint64_t id) const { return in(id, "features.json"); }
  // May be packed: readers look at how a file begins, not at its name.
  std::string rows_path(std::uint64_t id) const { return in(id, "rows.arff"); }
  // `name` as in "letter" and "letter@1".
  std::string name_path(std::string_view name) const;

  // Of the sets whose rows are here, by id. What cannot be read is left out.
  std::vector<OpenmlDescription> sets() const;

 private:
  std::string in(std::uint64_t id, const char* name) const {
    return folder_ + "/" + std::to_string(id) + "/" + name;
  }

  std::string folder_;
};

// Whole or absent, with the folders it needs.
Status keep_file(const std::string& path, std::string_view bytes);

}  // namespace handrail
