#include "handrail/data/line_reader.h"

#include <algorithm>
#include <cstring>

namespace handrail {
namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(kBlockSize) {}

std::string_view LineReader::line() const {
  std::string_view text(buffer_.data() + begin_, end_ - begin_);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Result<bool> LineReader::next() {
  begin_ = next_;
  line_number_ += 1 + extra_lines_;
  extra_lines_ = 0;
  Result<bool> found = find_end(begin_);
  if (line_number_ == 1 && found.ok()) skip_byte_order_mark();
  return found;
}

Result<bool> LineReader::extend() {
  Result<bool> found = find_end(next_);
  if (found.ok() && found.value()) ++extra_lines_;
  return found;
}

Error LineReader::error(std::string_view what) const {
  if (line_number_ == 0) return Error{name_ + ": " + std::string(what)};
  return error_at(line_number_, what);
}

Error LineReader::error_at(std::uint64_t line_number, std::string_view what) const {
  return Error{name_ + ":" + std::to_string(line_number) + ": " + std::string(what)};
}

// Sets the end of the line that starts at `from`; false if nothing is there.
Result<bool> LineReader::find_end(std::size_t from) {
  std::size_t searched = from;
  for (;;) {
    const void* feed = std::memchr(buffer_.data() + searched, '\n', filled_ - searched);
    if (feed != nullptr) {
      end_ = static_cast<std::size_t>(static_cast<const char*>(feed) - buffer_.data());
      next_ = end_ + 1;
      return true;
    }
    // Offsets count from the line's beginning while the buffer moves.
    const std::size_t known = filled_ - begin_;
    const std::size_t start = from - begin_;
    const Result<bool> more = refill();
    if (!more.ok()) return more.error();
    from = begin_ + start;
    searched = begin_ + known;
    if (!more.value()) {
      end_ = next_ = filled_;
      return end_ > from;
    }
  }
}

// Reads another block behind the current line, which moves to the front; false at the end.
Result<bool> LineReader::refill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
  }
  if (filled_ > kLongestLine) {
    return error("a line, or a cell in quotes, of more than " + std::to_string(kLongestLine) +
                 " bytes");
  }
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const Result<std::size_t> got = source_->read(std::span(buffer_).subspan(filled_));
  if (!got.ok()) return got.error();
  filled_ += got.value();
  at_end_ = got.value() == 0;
  return !at_end_;
}

void LineReader::skip_byte_order_mark() {
  const std::string_view text(buffer_.data() + begin_, end_ - begin_);
  if (text.starts_with(kByteOrderMark)) begin_ += kByteOrderMark.size();
}

Result<LineReader> open_lines(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source.ok()) return source.error();
  return LineReader(std::move(source).value(), source_name(path));
}

}  // namespace handrail
