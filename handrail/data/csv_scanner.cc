#include "handrail/data/csv_scanner.h"

#include <cstring>

namespace handrail {
namespace {

// Follows the quotes of a record that comes in pieces, so that each byte is looked at once however
// many lines a cell holds.
class QuoteState {
 public:
  explicit QuoteState(char separator) : separator_(separator) {}

  void follow(std::string_view text) {
    for (const char c : text) step(c);
  }
  bool is_open() const { return place_ == Place::kQuoted; }

 private:
  enum class Place : std::uint8_t { kBeforeCell, kBare, kQuoted };

  void step(char c) {
    if (place_ == Place::kQuoted) {
      // Of two quotes, the second opens again what the first one closed.
      if (c == '"') place_ = Place::kBeforeCell;
      return;
    }
    if (c == separator_) {
      place_ = Place::kBeforeCell;
    } else if (c == '"' && place_ == Place::kBeforeCell) {
      place_ = Place::kQuoted;
    } else if (c != ' ' && c != '\t') {
      place_ = Place::kBare;
    }
  }

  char separator_;
  Place place_ = Place::kBeforeCell;
};

bool has_quote(std::string_view text) {
  return std::memchr(text.data(), '"', text.size()) != nullptr;
}

// Makes the current line longer until its quotes are closed.
Status complete_record(LineReader& lines, char separator) {
  QuoteState quotes(separator);
  std::size_t followed = 0;
  for (;;) {
    quotes.follow(lines.line().substr(followed));
    if (!quotes.is_open()) return {};
    followed = lines.line().size();
    const Result<bool> more = lines.extend();
    if (!more.ok()) return more.error();
    if (!more.value()) return lines.error("a quote that opens in this record is never closed");
  }
}

}  // namespace

Result<bool> next_record(LineReader& lines, char separator) {
  for (;;) {
    Result<bool> more = lines.next();
    if (!more.ok() || !more.value()) return more;
    if (CsvScanner(lines.line(), separator).at_end()) continue;
    if (has_quote(lines.line())) {
      const Status completed = complete_record(lines, separator);
      if (!completed.ok()) return completed.error();
    }
    return true;
  }
}

Result<std::string_view> CsvScanner::cell() {
  if (at_ != end_ && *at_ == '"') return quoted_cell();
  const char* begin = at_;
  const auto size = static_cast<std::size_t>(end_ - at_);
  const void* separator = size == 0 ? nullptr : std::memchr(at_, separator_, size);
  at_ = separator == nullptr ? end_ : static_cast<const char*>(separator);
  const char* end = at_;
  while (end != begin && is_space(end[-1])) --end;
  const std::string_view text(begin, end);
  if (has_quote(text)) {
    return Error{"has a quote in the middle; put the cell into quotes, and double those in it"};
  }
  return text;
}

Result<std::string_view> CsvScanner::quoted_cell() {
  unquoted_.clear();
  for (++at_;;) {
    const void* quote = std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
    if (quote == nullptr) return Error{"has a quote that is not closed"};
    unquoted_.append(at_, static_cast<const char*>(quote));
    at_ = static_cast<const char*>(quote) + 1;
    if (at_ == end_ || *at_ != '"') break;
    unquoted_ += '"';
    ++at_;
  }
  skip_space();
  if (at_ == end_ || *at_ == separator_) return std::string_view(unquoted_);
  return Error{"goes on behind its closing quote; quotes in a cell have to be doubled"};
}

}  // namespace handrail
