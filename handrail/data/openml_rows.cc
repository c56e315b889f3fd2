#include "handrail/data/openml_rows.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "handrail/data/byte_source.h"
#include "handrail/data/md5.h"
#include "handrail/data/openml_service.h"
#include "handrail/data/packed_source.h"

namespace handrail {
namespace {

// Bytes in memory, which stay there as long as this.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  Result<std::size_t> read(std::span<char> block) override {
    const std::size_t size = std::min(block.size(), bytes_.size());
    bytes_.copy(block.data(), size);
    bytes_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view bytes_;
};

// A mirror may keep its files packed and send them so.
Result<std::unique_ptr<ByteSource>> unpacked(std::string_view bytes, const std::string& name) {
  constexpr std::string_view kGzip = "\x1F\x8B";
  auto source = std::make_unique<MemorySource>(bytes);
  if (bytes.starts_with(kGzip)) return unpack_gzip(std::move(source), name);
  return std::unique_ptr<ByteSource>(std::move(source));
}

Status check_md5(Result<std::unique_ptr<ByteSource>> source, const std::string& expected) {
  if (!source.ok()) return source.error();
  const Result<std::string> md5 = md5_of(*source.value());
  if (!md5.ok()) return md5.error();
  if (md5.value() == expected) return {};
  return Error{"the MD5 of the file is " + md5.value() + ", and OpenML says " + expected};
}

// With any other address than the public one, everything comes from there: that is what a mirror is
// for. The public one has moved its files more than once, and the description knows where to.
std::string download_address(const OpenmlDescription& description, const CatalogConfig& config) {
  if (config.openml_address == kPublicOpenml && !description.url.empty()) return description.url;
  return config.openml_address + "/data/v1/download/" + std::to_string(description.file_id);
}

}  // namespace

Result<std::string> find_openml_rows(const OpenmlDescription& description, const OpenmlCache& cache,
                                     const CatalogConfig& config) {
  const std::string path = cache.rows_path(description.id);
  std::error_code unreadable;
  if (std::filesystem::exists(path, unreadable)) {
    const Status kept = check_md5(open_source(path), description.md5);
    if (kept.ok()) return path;
    if (config.offline) return Error{path + ": damaged: " + kept.error().message};
  }
  if (config.offline) return not_in_cache(cache);
  const std::string address = download_address(description, config);
  const Result<std::optional<std::string>> body = ask_openml(address, config);
  if (!body.ok()) return body.error();
  if (!body.value().has_value()) return Error{address + ": OpenML has no such file"};
  const Status whole = check_md5(unpacked(*body.value(), address), description.md5);
  if (!whole.ok()) return Error{address + ": " + whole.error().message + "; nothing was kept"};
  const Status kept = keep_file(path, *body.value());
  if (!kept.ok()) return kept.error();
  return path;
}

Error not_in_cache(const OpenmlCache& cache) {
  return Error{"offline, and " + cache.folder() +
               " does not hold all of it; fetch it once with the network"};
}

}  // namespace handrail
