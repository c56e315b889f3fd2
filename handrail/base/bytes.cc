#include "handrail/base/bytes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace handrail {
namespace {

constexpr std::string_view kMagic = "HANDRAIL";
constexpr std::uint32_t kFormatVersion = 5;
constexpr std::size_t kEnvelopeSize = 8 + 4 + 8 + 4;  // magic, version, length, checksum

void append_little_endian(std::string& out, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
  }
}

// Closes on every way out. Errors of the close itself are looked at by close_now().
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool valid() const { return descriptor_ >= 0; }
  int number() const { return descriptor_; }
  bool close_now() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

Status write_all(FileDescriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.number()) != 0 && errno != EINVAL && errno != EROFS) {
    return system_error(path, "cannot flush");
  }
  if (!file.close_now()) return system_error(path, "cannot close");
  return {};
}

// Flushes the entry of a file that was renamed: until then a loss of power may bring the old one
// back.
Status flush_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const FileDescriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) {
    // One may be allowed to write into a folder and not to read it.
    if (errno == EACCES) return {};
    return system_error(path, "cannot open its folder");
  }
  if (::fsync(opened.number()) != 0 && errno != EINVAL && errno != EROFS) {
    return system_error(path, "cannot flush its folder");
  }
  return {};
}

bool is_at(int descriptor, const std::string& path) {
  struct stat held = {};
  struct stat named = {};
  return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

// Opens `path` for one writer at a time. A writer that waited for another finds that its file has
// been renamed since, and opens the next. Where a file system has no locks, nothing keeps writers
// apart.
int open_alone(const std::string& path) {
  constexpr int kWritersBefore = 1000;  // more than wait for one file, and an end to the loop
  for (int i = 0; i < kWritersBefore; ++i) {
    const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (opened < 0) return opened;
    while (::flock(opened, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (is_at(opened, path)) return opened;
    ::close(opened);
  }
  errno = EBUSY;
  return -1;
}

}  // namespace

void ByteWriter::u8(std::uint8_t value) {
  append_little_endian(bytes_, value, 1);
}
void ByteWriter::u32(std::uint32_t value) {
  append_little_endian(bytes_, value, 4);
}
void ByteWriter::u64(std::uint64_t value) {
  append_little_endian(bytes_, value, 8);
}
void ByteWriter::f64(double value) {
  u64(std::bit_cast<std::uint64_t>(value));
}

void ByteWriter::doubles(std::span<const double> values) {
  u64(values.size());
  for (const double value : values) f64(value);
}

void ByteWriter::text(std::string_view value) {
  u64(value.size());
  bytes_.append(value);
}

std::string_view ByteReader::take(std::size_t count) {
  if (!failure_.empty()) return {};
  if (count > remaining()) {
    fail("ends in the middle of a field");
    return {};
  }
  const std::string_view taken = bytes_.substr(position_, count);
  position_ += count;
  return taken;
}

std::uint64_t ByteReader::little_endian(std::size_t count) {
  std::uint64_t value = 0;
  std::size_t shift = 0;
  for (const char byte : take(count)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

std::uint8_t ByteReader::u8() {
  return static_cast<std::uint8_t>(little_endian(1));
}
std::uint32_t ByteReader::u32() {
  return static_cast<std::uint32_t>(little_endian(4));
}
std::uint64_t ByteReader::u64() {
  return little_endian(8);
}
double ByteReader::f64() {
  return std::bit_cast<double>(u64());
}

void ByteReader::doubles(std::span<double> values) {
  const std::uint64_t count = u64();
  if (failure_.empty() && count != values.size()) {
    fail("holds " + std::to_string(count) + " numbers where " + std::to_string(values.size()) +
         " belong");
  }
  for (double& value : values) value = f64();
}

std::vector<double> ByteReader::doubles() {
  const std::uint64_t count = u64();
  if (count > remaining() / sizeof(double)) {
    fail("names more numbers than it holds");
    return {};
  }
  std::vector<double> values(count);
  for (double& value : values) value = f64();
  return values;
}

std::string ByteReader::text() {
  const std::uint64_t count = u64();
  if (count > remaining()) {
    fail("names more text than it holds");
    return {};
  }
  return std::string(take(count));
}

void ByteReader::fail(std::string_view why) {
  if (failure_.empty()) failure_ = "byte " + std::to_string(position_) + ": " + std::string(why);
}

Status ByteReader::status() const {
  if (failure_.empty()) return {};
  return Error{failure_};
}

std::uint32_t checksum(std::string_view bytes) {
  uLong crc = crc32_z(0, nullptr, 0);
  crc = crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return static_cast<std::uint32_t>(crc);
}

Error system_error(const std::string& path, std::string_view what) {
  return Error{path + ": " + std::string(what) + ": " + std::strerror(errno)};
}

Status write_file(const std::string& path, std::string_view bytes) {
  const std::string beside = path + ".partial";
  // Held until the file is in place: a second writer must not begin in one that is about to be
  // renamed. A duplicate shares the lock, so the file itself can be closed, and that checked.
  const FileDescriptor lock(open_alone(beside));
  if (!lock.valid()) return system_error(beside, "cannot create");
  FileDescriptor file(::fcntl(lock.number(), F_DUPFD_CLOEXEC, 0));
  if (!file.valid() || ::ftruncate(file.number(), 0) != 0) {
    return system_error(beside, "cannot empty");
  }
  const Status written = write_all(file, beside, bytes);
  if (!written.ok()) {
    ::unlink(beside.c_str());
    return written;
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const Error error = system_error(path, "cannot rename into place");
    ::unlink(beside.c_str());
    return error;
  }
  return flush_folder_of(path);
}

Result<std::string> read_file(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return system_error(path, "cannot open");
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, "cannot read");
    if (count == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string seal(std::string_view payload) {
  ByteWriter header;
  header.u32(kFormatVersion);
  header.u64(payload.size());
  std::string sealed(kMagic);
  sealed.append(header.bytes());
  sealed.append(payload);
  // The checksum covers the header too: a flipped length or version is found like any other byte.
  append_little_endian(sealed, checksum(sealed), 4);
  return sealed;
}

Result<std::string> unseal(std::string_view sealed, std::string_view place) {
  const std::string where(place);
  if (sealed.size() < kMagic.size() || sealed.substr(0, kMagic.size()) != kMagic) {
    return Error{where + ": not a Handrail save file: it does not begin with \"HANDRAIL\""};
  }
  if (sealed.size() < kEnvelopeSize) {
    return Error{where + ": cut short: " + std::to_string(sealed.size()) +
                 " bytes, and the envelope alone takes " + std::to_string(kEnvelopeSize)};
  }
  ByteReader tail(sealed.substr(sealed.size() - 4));
  if (tail.u32() != checksum(sealed.substr(0, sealed.size() - 4))) {
    return Error{where + ": damaged or cut short: its checksum does not match its " +
                 std::to_string(sealed.size()) + " bytes"};
  }
  ByteReader header(sealed.substr(kMagic.size()));
  const std::uint32_t version = header.u32();
  if (version != kFormatVersion) {
    return Error{where + ": save format " + std::to_string(version) +
                 "; this program reads format " + std::to_string(kFormatVersion)};
  }
  const std::uint64_t length = header.u64();
  if (length != sealed.size() - kEnvelopeSize) {
    return Error{where + ": its header names " + std::to_string(length) + " bytes and it holds " +
                 std::to_string(sealed.size() - kEnvelopeSize)};
  }
  return std::string(sealed.substr(kMagic.size() + 12, length));
}

}  // namespace handrail
