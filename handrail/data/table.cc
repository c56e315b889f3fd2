#include "handrail/data/table.h"

#include "handrail/base/assert.h"

namespace handrail {

std::optional<std::size_t> Table::find_column(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  return std::nullopt;
}

void Table::add_row(std::span<const double> cells) {
  HANDRAIL_ASSERT(cells.size() == columns_.size());
  const std::size_t rows = std::size_t{1} << block_shift_;
  if ((row_count_ & (rows - 1)) == 0) {
    blocks_.emplace_back();
    blocks_.back().reserve(rows * columns_.size());
  }
  blocks_.back().insert(blocks_.back().end(), cells.begin(), cells.end());
  ++row_count_;
}

}  // namespace handrail
