#include "handrail/data/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "handrail/base/bytes.h"
#include "handrail/data/packed_source.h"

namespace handrail {
namespace {

using std::string_view_literals::operator""sv;

enum class Packing : std::uint8_t { kNone, kGzip, kZstd, kRefused };

struct Magic {
  std::string_view bytes;
  Packing packing;
  std::string_view refusal = {};
};

constexpr std::array<Magic, 8> kMagics = {{
    {"\x1F\x8B"sv, Packing::kGzip},
    {"\x28\xB5\x2F\xFD"sv, Packing::kZstd},
    {"\xFD\x37zXZ"sv, Packing::kRefused, "is packed by xz; plain, gzip and zstd files are read"},
    {"BZh"sv, Packing::kRefused, "is packed by bzip2; plain, gzip and zstd files are read"},
    {"PK\x03\x04"sv, Packing::kRefused, "is a zip archive; plain, gzip and zstd files are read"},
    {"7z\xBC\xAF\x27\x1C"sv, Packing::kRefused,
     "is a 7z archive; plain, gzip and zstd files are read"},
    {"\xFF\xFE"sv, Packing::kRefused, "is text in UTF-16; save it as UTF-8"},
    {"\xFE\xFF"sv, Packing::kRefused, "is text in UTF-16; save it as UTF-8"},
}};
constexpr std::size_t kLongestMagic = 6;

// A file descriptor, behind bytes that were already read from it.
class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(std::span<char> block) override {
    if (!beginning_.empty()) {
      const std::size_t count = std::min(block.size(), beginning_.size());
      beginning_.copy(block.data(), count);
      beginning_.erase(0, count);
      return count;
    }
    return read_file(block);
  }

  // The first bytes, fewer than `count` only if there are no more. They will be read again.
  Result<std::string_view> peek(std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t size = 0;
    while (size < count) {
      const Result<std::size_t> got = read_file(std::span(bytes).subspan(size));
      if (!got.ok()) return got.error();
      if (got.value() == 0) break;
      size += got.value();
    }
    bytes.resize(size);
    beginning_ = std::move(bytes);
    return std::string_view(beginning_);
  }

 private:
  Result<std::size_t> read_file(std::span<char> block) {
    for (;;) {
      const ssize_t count = ::read(descriptor_, block.data(), block.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return system_error(name_, "cannot read");
    }
  }

  int descriptor_;
  std::string name_;
  std::string beginning_;
};

const Magic* find_magic(std::string_view beginning) {
  const auto* found = std::find_if(kMagics.begin(), kMagics.end(), [&](const Magic& magic) {
    return beginning.starts_with(magic.bytes);
  });
  return found == kMagics.end() ? nullptr : found;
}

}  // namespace

std::string source_name(const std::string& path) {
  return path == "-" ? "stdin" : path;
}

bool can_be_reopened(const std::string& path) {
  std::error_code unknown;
  return path != "-" && std::filesystem::is_regular_file(path, unknown);
}

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  const std::string name = source_name(path);
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error(name, "cannot open");
  auto file = std::make_unique<FileSource>(descriptor, name);
  const Result<std::string_view> beginning = file->peek(kLongestMagic);
  if (!beginning.ok()) return beginning.error();
  if (beginning.value().empty()) return Error{name + ": is empty"};
  const Magic* magic = find_magic(beginning.value());
  if (magic == nullptr) return std::unique_ptr<ByteSource>(std::move(file));
  if (magic->packing == Packing::kGzip) return unpack_gzip(std::move(file), name);
  if (magic->packing == Packing::kZstd) return unpack_zstd(std::move(file), name);
  return Error{name + ": " + std::string(magic->refusal)};
}

}  // namespace handrail
