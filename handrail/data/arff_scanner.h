// The words of one line of ARFF, in its header and in its rows alike.
#pragma once

#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

struct ArffWord {
  std::string_view text;
  bool is_quoted = false;

  bool is_missing() const { return !is_quoted && text == "?"; }
};

class ArffScanner {
 public:
  // The line has to stay where it is while it is scanned.
  explicit ArffScanner(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {
    skip_space();
  }

  // Where the scanner stands: at a word or a sign, never at a space.
  bool at_end() const { return at_ == end_ || *at_ == '%'; }
  std::string_view rest() const { return {at_, end_}; }
  void move_to(const char* position) { at_ = position; }

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  // Goes past the sign, and the space behind it, if it comes next.
  bool take(char sign);
  // Goes past what parts two words: a comma, or space alone. False if the scanner stands at
  // neither.
  bool take_separator();

  // The next word, in quotes of either kind or without: then it ends before space, comma, brace or
  // comment, and is empty if one of them comes next. Good until the next word is read. Stops right
  // behind the word.
  Result<ArffWord> word();

 private:
  Result<ArffWord> quoted_word(char quote);

  const char* at_;
  const char* end_;
  std::string unescaped_;
};

}  // namespace handrail
