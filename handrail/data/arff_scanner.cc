#include "handrail/data/arff_scanner.h"

#include <array>

namespace handrail {
namespace {

constexpr std::array<bool, 256> ends_of_words() {
  std::array<bool, 256> ends{};
  for (const char c : {' ', '\t', ',', '{', '}', '%'}) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}
constexpr std::array<bool, 256> kEndsWord = ends_of_words();

char unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

bool ArffScanner::take(char sign) {
  if (at_ == end_ || *at_ != sign) return false;
  ++at_;
  skip_space();
  return true;
}

bool ArffScanner::take_separator() {
  const char* before = at_;
  skip_space();
  if (take(',')) return true;
  return at_ != before && !at_end();
}

Result<ArffWord> ArffScanner::word() {
  if (at_ != end_ && (*at_ == '\'' || *at_ == '"')) return quoted_word(*at_);
  const char* begin = at_;
  while (at_ != end_ && !kEndsWord[static_cast<unsigned char>(*at_)]) ++at_;
  return ArffWord{.text = {begin, at_}};
}

Result<ArffWord> ArffScanner::quoted_word(char quote) {
  const char* begin = ++at_;
  while (at_ != end_ && *at_ != quote && *at_ != '\\') ++at_;
  unescaped_.assign(begin, at_);
  while (at_ != end_ && *at_ != quote) {
    if (*at_ == '\\' && at_ + 1 != end_) {
      unescaped_ += unescape(at_[1]);
      at_ += 2;
    } else {
      unescaped_ += *at_++;
    }
  }
  if (at_ == end_) return Error{"has a quote that is not closed on its line"};
  ++at_;
  return ArffWord{.text = unescaped_, .is_quoted = true};
}

}  // namespace handrail
