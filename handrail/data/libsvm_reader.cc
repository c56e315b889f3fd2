#include "handrail/data/libsvm_reader.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/line_reader.h"
#include "handrail/data/table_builder.h"

namespace handrail {
namespace {

struct Entry {
  std::uint32_t index;  // from 1
  double value;
};

std::string feature_name(std::uint64_t index) {
  return "feature" + std::to_string(index);
}

// Takes the next piece between blanks; empty at the end of the line.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// The width of the table is known behind the last row only. Until then rows are kept as they come,
// in pieces that are given back while the table is filled.
class LibsvmRows {
 public:
  explicit LibsvmRows(std::uint64_t cell_limit) : cell_limit_(cell_limit), labels_(cell_limit) {}

  Status start() { return labels_.add_column(class_column()); }

  Status add(std::string_view line) {
    const Status labelled = add_label(take_word(line));
    if (!labelled.ok()) return labelled;
    std::uint32_t last = 0;
    std::uint32_t count = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      const Result<Entry> entry = parse_entry(word, last);
      if (!entry.ok()) return entry.error();
      entries_.push_back(entry.value());
      last = entry.value().index;
      ++count;
    }
    entry_counts_.push_back(count);
    width_ = std::max(width_, last);
    return check_size();
  }

  Result<Table> to_table() {
    if (entry_counts_.empty()) return Error{"has no rows"};
    if (width_ == 0) return Error{"has no features, only labels"};
    TableBuilder table(cell_limit_);
    for (std::uint64_t i = 1; i <= width_; ++i) {
      const Status added = table.add_column({.name = feature_name(i)});
      if (!added.ok()) return added.error();
    }
    const Status added = table.add_column(labels_.column(0));
    if (!added.ok()) return added.error();
    for (std::size_t i = 0; i < entry_counts_.size(); ++i) {
      move_row(i, table.row());
      const Status row_added = table.add_row();
      if (!row_added.ok()) return row_added.error();
    }
    return table.finish();
  }

 private:
  static Column class_column() { return {.name = "class", .kind = ColumnKind::kNominal}; }

  Status add_label(std::string_view word) {
    const std::optional<double> label = number_of(word);
    if (!label.has_value()) {
      return Error{"the row begins with " + shown(word) + "; a number was expected as its label"};
    }
    // "+1" and "1" are the same label.
    const Result<std::uint32_t> value = labels_.find_or_add_value(0, to_text(*label));
    if (!value.ok()) return value.error();
    row_labels_.push_back(value.value());
    return {};
  }

  // `last`: the index before this one.
  static Result<Entry> parse_entry(std::string_view word, std::uint32_t last) {
    const std::size_t colon = word.find(':');
    const std::string_view index_text = word.substr(0, colon);
    if (index_text == "qid") return Error{"the row has a qid; files for ranking are not read"};
    const std::optional<std::uint64_t> index = to_count(index_text);
    if (colon == std::string_view::npos || !index.has_value() || *index == 0) {
      return Error{shown(word) + " is no index:value; indexes are whole numbers from 1"};
    }
    if (*index >= kMaxColumns) {
      return Error{"index " + std::to_string(*index) + ": " + too_many_columns().message};
    }
    if (*index <= last) {
      return Error{"index " + std::to_string(*index) + " comes behind index " +
                   std::to_string(last) + "; they have to ascend"};
    }
    const std::string_view value_text = word.substr(colon + 1);
    const std::optional<double> value = number_of(value_text);
    if (!value.has_value()) {
      return not_a_number(*index - 1, feature_name(*index), value_text);
    }
    return Entry{static_cast<std::uint32_t>(*index), *value};
  }

  // The largest index may come late, and the rows before it have as many cells as the others.
  Status check_size() const {
    const std::uint64_t columns = std::uint64_t{width_} + 1;
    if (entry_counts_.size() * columns <= cell_limit_) return {};
    return too_many_cells(cell_limit_);
  }

  void move_row(std::size_t index, std::vector<double>& row) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::uint32_t i = 0; i < entry_counts_[index]; ++i) {
      row[entries_.front().index - 1] = entries_.front().value;
      entries_.pop_front();
    }
    row.back() = row_labels_[index];
  }

  std::uint64_t cell_limit_;
  TableBuilder labels_;  // its one column knows the labels by name
  std::deque<Entry> entries_;
  std::vector<std::uint32_t> entry_counts_;  // of each row
  std::vector<std::uint32_t> row_labels_;
  std::uint32_t width_ = 0;
};

Result<Table> read_rows(LineReader& lines, std::uint64_t cell_limit) {
  LibsvmRows rows(cell_limit);
  const Status started = rows.start();
  if (!started.ok()) return started.error();
  for (;;) {
    const Result<bool> more = lines.next();
    if (!more.ok()) return more.error();
    if (!more.value()) break;
    std::string_view line = lines.line();
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const Status added = rows.add(line);
    if (!added.ok()) return lines.error(added.error());
  }
  Result<Table> table = rows.to_table();
  if (!table.ok()) return Error{lines.name() + ": " + table.error().message};
  return table;
}

constexpr std::array<FormatEnding, 2> kEndings = {{{".libsvm"}, {".svm"}}};

}  // namespace

constinit const FormatEntry kLibsvmFormat = {
    .name = "libsvm",
    .meaning = "lines of `label index:value ...`; the last column, class, holds the labels",
    .endings = kEndings,
    .read = [](const std::string& path, const ReadOptions& options) -> Result<Table> {
      Result<LineReader> lines = open_lines(path);
      if (!lines.ok()) return lines.error();
      return read_rows(lines.value(), options.cell_limit);
    },
};

}  // namespace handrail
