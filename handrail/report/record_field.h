// A field of a JSON object of the results, as a row of a table: its name, its meaning and where it
// is kept. Whoever writes, reads or describes such objects goes through the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace handrail {

// The type of the member says what a reader asks for: a text, a number and a list of numbers have
// to be there; anything else may be null or absent.
template <typename Record>
struct RecordField {
  using Member =
      std::variant<std::string Record::*, double Record::*, std::vector<double> Record::*,
                   std::optional<std::string> Record::*, std::optional<double> Record::*,
                   std::optional<std::uint64_t> Record::*, bool Record::*,
                   std::vector<std::string> Record::*>;
  std::string_view name;  // "regret.mean" is the field `mean` of an object `regret`
  Member member;
  std::string_view meaning;
};

}  // namespace handrail
