// The bytes of a file or of stdin, unpacked if they are packed, one block after the other: nothing
// here holds more than a block.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "handrail/base/result.h"

namespace handrail {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of `block`, which is not empty, and says how far; 0 only at the end.
  virtual Result<std::size_t> read(std::span<char> block) = 0;
};

// "stdin" for "-", else the path: what errors call a source.
std::string source_name(const std::string& path);

// Whether the same bytes can be had twice: of a file, but not of stdin or a pipe.
bool can_be_reopened(const std::string& path);

// Whether bytes are gzip or zstd is told by how they begin, whatever the file is called. Both may
// hold several members, one behind the other. Nothing at all, packed or not, is an error, and so
// are a cut, a wrong checksum, bytes behind the end, and other packers' files. Every error begins
// with the source's name.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

}  // namespace handrail
