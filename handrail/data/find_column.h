// Columns by their names. Errors leave it to the caller to say of which table they speak.
#pragma once

#include <cstddef>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/data/table.h"

namespace handrail {

// For a column that has to be there: an error says what it was to be, and names the nearest.
Result<std::size_t> find_column(const Table& table, std::string_view name, std::string_view role);

// The column that holds the class; the last if `name` is empty. It has to be there, and nominal.
Result<std::size_t> find_class_column(const Table& table, std::string_view name);

}  // namespace handrail
