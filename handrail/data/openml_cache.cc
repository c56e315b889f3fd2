#include "handrail/data/openml_cache.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/data/http.h"

namespace handrail {

std::string OpenmlCache::name_path(std::string_view name) const {
  return folder_ + "/names/" + percent_encoded(std::string(name)) + ".json";
}

std::vector<OpenmlDescription> OpenmlCache::sets() const {
  std::vector<OpenmlDescription> found;
  std::error_code unreadable;
  std::filesystem::directory_iterator entry(folder_, unreadable);
  for (; !unreadable && entry != std::filesystem::directory_iterator();
       entry.increment(unreadable)) {
    const std::optional<std::uint64_t> id = to_count(entry->path().filename().string());
    std::error_code absent;
    if (!id.has_value() || !std::filesystem::exists(rows_path(*id), absent)) continue;
    const Result<std::string> text = read_file(description_path(*id));
    if (!text.ok()) continue;
    Result<OpenmlDescription> description = parse_openml_description(text.value());
    if (description.ok()) found.push_back(std::move(description).value());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return found;
}

Status keep_file(const std::string& path, std::string_view bytes) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return Error{folder.string() + ": cannot create: " + problem.message()};
  return write_file(path, bytes);
}

}  // namespace handrail
