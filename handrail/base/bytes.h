// Bytes on disk: little-endian fields in memory, and files that are whole or refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

class ByteWriter {
 public:
  void u8(std::uint8_t value);
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  void f64(double value);                        // the bits, so that loading gives the same double
  void doubles(std::span<const double> values);  // with its length
  void text(std::string_view value);             // with its length

  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what ByteWriter wrote. A read past the end, or of a length that cannot be, makes the reader
// fail for good: it then gives zeros, and status() says where. Check it once after a group of
// reads.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  double f64();
  void doubles(std::span<double> values);  // fails unless exactly values.size() were written
  std::vector<double> doubles();
  std::string text();

  // Marks the bytes as bad for a reason that only the caller can see.
  void fail(std::string_view why);
  bool at_end() const { return position_ == bytes_.size(); }
  std::size_t remaining() const { return bytes_.size() - position_; }
  Status status() const;

 private:
  std::string_view take(std::size_t count);
  std::uint64_t little_endian(std::size_t count);

  std::string_view bytes_;
  std::size_t position_ = 0;
  std::string failure_;
};

// CRC-32 of the bytes. Finds every error burst of up to 32 bits, so every flipped byte.
std::uint32_t checksum(std::string_view bytes);

// "PATH: WHAT: why", where errno says why. For calls of the system that have just failed.
Error system_error(const std::string& path, std::string_view what);

// Whole or absent: writes beside `path`, flushes to the disk, then renames. Writers of one path, be
// they threads or processes, take turns, and the last one stays.
Status write_file(const std::string& path, std::string_view bytes);
Result<std::string> read_file(const std::string& path);

// Wraps bytes in an envelope (magic word, version, length, checksum) and takes them out of it
// again. `place` names the file in errors.
std::string seal(std::string_view payload);
Result<std::string> unseal(std::string_view sealed, std::string_view place);

}  // namespace handrail
