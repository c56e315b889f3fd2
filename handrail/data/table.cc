#include "handrail/data/table.h"

namespace handrail {

std::optional<std::size_t> Table::find_column(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace handrail
