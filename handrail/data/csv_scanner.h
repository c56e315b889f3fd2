// The records of CSV or TSV and the cells of one record, quoted as RFC 4180 says. Spaces around a
// cell are no part of it unless they stand in quotes.
#pragma once

#include <string>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/data/line_reader.h"

namespace handrail {

// Goes on to the next record: a line, or several if a cell in quotes holds their ends. Blank lines
// are skipped; false at the end.
Result<bool> next_record(LineReader& lines, char separator);

class CsvScanner {
 public:
  // The record has to stay where it is while it is scanned.
  CsvScanner(std::string_view record, char separator)
      : at_(record.data()), end_(at_ + record.size()), separator_(separator) {
    skip_space();
  }

  bool at_end() const { return at_ == end_; }
  std::string_view rest() const { return {at_, end_}; }
  void move_to(const char* position) { at_ = position; }

  // Goes past the sign that parts two cells, and the space behind it.
  bool take_separator() {
    if (at_ == end_ || *at_ != separator_) return false;
    ++at_;
    skip_space();
    return true;
  }

  // The next cell. Good until the one after it is read. Stops at the separator or at the end.
  Result<std::string_view> cell();

 private:
  Result<std::string_view> quoted_cell();
  bool is_space(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  const char* at_;
  const char* end_;
  char separator_;
  std::string unquoted_;
};

}  // namespace handrail
