// Which column of an OpenML set is the class, which are left aside, and whether the rest can be
// learnt from. Decided by what OpenML says of the columns, before the file is fetched.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/openml_answer.h"

namespace handrail {

struct OpenmlColumns {
  std::string class_column;
  // What names rows, what OpenML says to leave aside, and the other targets of a set with several:
  // each of those would tell about the class what nobody knows before it.
  std::vector<std::string> ignored;
};

// `class_column` is the caller's choice; the set's own target if empty.
Result<OpenmlColumns> choose_openml_columns(const OpenmlDescription& description,
                                            std::span<const OpenmlFeature> features,
                                            std::string_view class_column);

}  // namespace handrail
