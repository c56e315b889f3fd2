// The lines of a source, one at a time, in a buffer that is reused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/byte_source.h"

namespace handrail {

// A line may be this long, 160 characters for each of the most columns; a file that is one endless
// line must not fill the memory.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20;

class LineReader {
 public:
  // `name` begins every place.
  LineReader(std::unique_ptr<ByteSource> source, std::string name);

  // Goes on to the next line; false if there is none. A mark of byte order (BOM) before the first
  // line is skipped.
  Result<bool> next();
  // Makes the current line longer by the next one, with the line's end between them; false if there
  // is none. For cells that hold ends of lines.
  Result<bool> extend();

  // Without its end, which is a line feed with or without a carriage return before it. Good until
  // the next call of next() or extend().
  std::string_view line() const;

  // Of the current line, which is the first of its lines if it was made longer.
  std::uint64_t line_number() const { return line_number_; }
  const std::string& name() const { return name_; }
  // "letter.arff:412: what", or "letter.arff: what" before the first line.
  Error error(std::string_view what) const;
  Error error(const Error& what) const { return error(what.message); }
  // The same of an earlier line.
  Error error_at(std::uint64_t line_number, std::string_view what) const;

 private:
  Result<bool> find_end(std::size_t from);
  Result<bool> refill();
  void skip_byte_order_mark();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0;  // of the buffer
  std::size_t begin_ = 0;   // of the current line
  std::size_t end_ = 0;     // of the current line: its line feed, or the end of everything
  std::size_t next_ = 0;    // of the line behind it
  std::uint64_t line_number_ = 0;
  std::uint64_t extra_lines_ = 0;  // by which the current one was made longer
  bool at_end_ = false;            // the source has no more
};

// The lines of a file, or of stdin.
Result<LineReader> open_lines(const std::string& path);

}  // namespace handrail
