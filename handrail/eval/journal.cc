#include "handrail/eval/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "handrail/base/bytes.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

// A record: its payload's length and checksum, four bytes each, then the payload. The first payload
// is the identity; the others are a key, a summary and a curve, each field of fixed size.
constexpr std::size_t kRecordHeader = 8;
constexpr std::size_t kKeySize = 8 * 5 + 1;
constexpr std::size_t kCountSize = 8;
constexpr std::size_t kPointSize = 8 * kCurveMetrics.size();
constexpr std::size_t kLargestRecord = std::size_t{1} << 28;

void write_key(ByteWriter& out, const RunKey& key) {
  out.u64(key.cell.environment);
  out.u64(key.cell.agent);
  out.u64(key.cell.alpha);
  out.u64(key.candidate);
  out.u64(key.run);
  out.u8(key.tuning ? 1 : 0);
}

RunKey read_key(ByteReader& in) {
  RunKey key;
  key.cell.environment = in.u64();
  key.cell.agent = in.u64();
  key.cell.alpha = in.u64();
  key.candidate = in.u64();
  key.run = in.u64();
  key.tuning = in.u8() != 0;
  return key;
}

// A value for each of kJournalMetrics, and the number of points of the curve.
std::size_t summary_size() {
  std::size_t size = kCountSize;
  for (const std::size_t metric : kJournalMetrics) size += size_of(kMetrics[metric].kind);
  return size;
}

void write_summary(ByteWriter& out, const PlayedRun& run) {
  for (const std::size_t metric : kJournalMetrics) {
    write_value(out, kMetrics[metric].kind, run.values[metric]);
  }
  out.u64(run.curve.size());
}

PlayedRun read_summary(ByteReader& in) {
  PlayedRun run;
  for (const std::size_t metric : kJournalMetrics) {
    run.values[metric] = read_value(in, kMetrics[metric].kind);
  }
  return run;
}

// Whether a record of a run has the fields that this program knows: one that knows other metrics
// has written another number of bytes.
bool has_known_fields(std::string_view payload) {
  const std::size_t before_curve = kKeySize + summary_size();
  if (payload.size() < before_curve) return false;
  ByteReader in(payload.substr(before_curve - kCountSize));
  const std::uint64_t points = in.u64();
  const std::size_t curve_size = payload.size() - before_curve;
  return curve_size % kPointSize == 0 && points == curve_size / kPointSize;
}

std::string record_of(std::string_view payload) {
  ByteWriter header;
  header.u32(static_cast<std::uint32_t>(payload.size()));
  header.u32(checksum(payload));
  return std::string(header.bytes()) + std::string(payload);
}

// The first line in which two identities differ.
std::string first_difference(std::string_view was, std::string_view is) {
  const std::vector<std::string_view> old_lines = split(was, '\n');
  const std::vector<std::string_view> new_lines = split(is, '\n');
  for (std::size_t i = 0; i < std::max(old_lines.size(), new_lines.size()); ++i) {
    const std::string_view old_line = i < old_lines.size() ? old_lines[i] : "nothing";
    const std::string_view new_line = i < new_lines.size() ? new_lines[i] : "nothing";
    if (old_line == new_line) continue;
    return "it has \"" + std::string(old_line) + "\", and \"" + std::string(new_line) +
           "\" is asked for";
  }
  return "";
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      size_(other.size_),
      offsets_(std::move(other.offsets_)) {}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Journal> Journal::open(const std::string& directory, std::string_view identity) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  std::error_code unknown;
  if (!std::filesystem::is_directory(directory, unknown)) {
    return Error{directory + ": cannot be made a directory" +
                 (failure ? " (" + failure.message() + ")" : "")};
  }
  const std::string path = directory + "/journal.bin";
  Journal journal(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666), path);
  if (journal.descriptor_ < 0) return system_error(path, "cannot be opened");
  if (::flock(journal.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Error{directory + ": another comparison is writing there"};
    return system_error(path, "cannot be locked");
  }
  const Status read = journal.read_records(identity);
  if (!read.ok()) return read.error();
  if (journal.size_ > 0) return journal;
  const Status begun = journal.append(identity);
  if (!begun.ok()) return begun.error();
  return journal;
}

Result<Journal> Journal::temporary() {
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
  if (failure) return Error{"no folder for temporary files (" + failure.message() + ")"};
  std::string path = (folder / "handrail-XXXXXX").string();
  Journal journal(::mkostemp(path.data(), O_CLOEXEC), path);
  if (journal.descriptor_ < 0) return system_error(path, "cannot be made");
  ::unlink(path.c_str());
  return journal;
}

Status Journal::read_records(std::string_view identity) {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) return system_error(path_, "cannot be read");
  const auto length = static_cast<std::uint64_t>(end);
  while (length - size_ >= kRecordHeader) {
    const Result<std::string> header = read_at(size_, kRecordHeader);
    if (!header.ok()) return header.error();
    ByteReader fields(header.value());
    const std::uint32_t payload_size = fields.u32();
    const std::uint32_t expected = fields.u32();
    const std::uint64_t begin = size_ + kRecordHeader;
    if (payload_size > kLargestRecord || payload_size > length - begin) break;
    const Result<std::string> payload = read_at(begin, payload_size);
    if (!payload.ok()) return payload.error();
    if (checksum(payload.value()) != expected) break;
    if (size_ == 0 && payload.value() != identity) {
      return Error{path_ + ": belongs to another comparison: " +
                   first_difference(payload.value(), identity) +
                   "; give another directory, or remove this one"};
    }
    if (size_ > 0) {
      if (!has_known_fields(payload.value())) {
        return Error{path_ +
                     ": holds other metrics than this program has; give another directory, "
                     "or remove this one"};
      }
      ByteReader in(payload.value());
      offsets_[read_key(in)] = begin + kKeySize;
    }
    size_ = begin + payload_size;
  }
  if (size_ == 0 && length > 0 && !begins_record(identity, length)) {
    return Error{path_ + ": is not a journal of a comparison; give another directory"};
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
    return system_error(path_, "cannot be written");
  }
  return {};
}

// Whether the file is the beginning of what its first record would be: it was cut while that was
// written.
bool Journal::begins_record(std::string_view identity, std::uint64_t length) const {
  const std::string record = record_of(identity);
  if (length >= record.size()) return false;
  const Result<std::string> found = read_at(0, static_cast<std::size_t>(length));
  return found.ok() && record.starts_with(found.value());
}

Status Journal::append(std::string_view payload) {
  if (payload.size() > kLargestRecord) {
    return Error{path_ +
                 ": the comparison has too many agents and environments to be written down"};
  }
  const std::string record = record_of(payload);
  std::size_t written = 0;
  while (written < record.size()) {
    const ssize_t count = ::pwrite(descriptor_, record.data() + written, record.size() - written,
                                   static_cast<off_t>(size_ + written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const Error error = system_error(path_, "cannot be written");
      // If even this fails, the next open cuts the broken record off.
      if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) return error;
      return error;
    }
    written += static_cast<std::size_t>(count);
  }
  size_ += record.size();
  return {};
}

Status Journal::add(const RunKey& key, const PlayedRun& run) {
  ByteWriter out;
  write_key(out, key);
  write_summary(out, run);
  for (const CurvePoint& point : run.curve) {
    for (const double quantity : point) out.f64(quantity);
  }
  const std::uint64_t begin = size_ + kRecordHeader;
  const Status added = append(out.bytes());
  if (added.ok()) offsets_[key] = begin + kKeySize;
  return added;
}

Result<std::string> Journal::read_at(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t read = 0;
  while (read < size) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data() + read, size - read, static_cast<off_t>(offset + read));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path_, "cannot be read");
    if (count == 0) return Error{path_ + ": ends in the middle of a record"};
    read += static_cast<std::size_t>(count);
  }
  return bytes;
}

Result<PlayedRun> Journal::summary(const RunKey& key) const {
  const Result<std::string> bytes = read_at(offsets_.at(key), summary_size());
  if (!bytes.ok()) return bytes.error();
  ByteReader in(bytes.value());
  return read_summary(in);
}

Result<CurvePoint> Journal::curve_point(const RunKey& key, std::size_t index) const {
  const std::uint64_t offset = offsets_.at(key) + summary_size() + index * kPointSize;
  const Result<std::string> bytes = read_at(offset, kPointSize);
  if (!bytes.ok()) return bytes.error();
  ByteReader in(bytes.value());
  CurvePoint point = {};
  for (double& quantity : point) quantity = in.f64();
  return point;
}

}  // namespace handrail
