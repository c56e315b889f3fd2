#include "handrail/data/arff_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "handrail/base/text.h"
#include "handrail/data/arff_scanner.h"
#include "handrail/data/cell_text.h"

namespace handrail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class ArffRow {
 public:
  // `runs`: those of numeric_runs.
  ArffRow(std::string_view line, TableBuilder& table, std::span<const std::size_t> runs)
      : scanner_(line), table_(table), runs_(runs), row_(table.row()) {}

  bool is_blank() const { return scanner_.at_end(); }
  Status read() { return scanner_.take('{') ? read_sparse() : read_dense(); }

 private:
  Status read_dense() {
    for (std::size_t i = 0; i < row_.size();) {
      if (i > 0 && !scanner_.take_separator()) return ends_early(i);
      const std::size_t count = take_numbers(i);
      i += count;
      if (count > 0) continue;
      const Status status = read_cell(i++);
      if (!status.ok()) return status;
    }
    return expect_end();
  }

  Status read_sparse() {
    std::fill(row_.begin(), row_.end(), 0.0);
    std::size_t next = 0;  // the lowest index that may come
    while (!scanner_.take('}')) {
      if (scanner_.at_end()) return Error{"a sparse row has no closing brace"};
      const Result<std::size_t> index = read_index(next);
      if (!index.ok()) return index.error();
      next = index.value() + 1;
      const Status status = read_cell(index.value());
      if (!status.ok()) return status;
      scanner_.take_separator();
    }
    return expect_end();
  }

  // How many cells from this one on could be read without a look at each.
  std::size_t take_numbers(std::size_t index) {
    const CellRun run = scan_numbers(scanner_.rest(), ',', row_.subspan(index, runs_[index]));
    scanner_.move_to(run.end);
    return run.count;
  }

  Status read_cell(std::size_t index) {
    const Result<ArffWord> word = scanner_.word();
    const Column& column = table_.column(index);
    if (!word.ok()) {
      return Error{shown_column(index, column.name) + " " + word.error().message};
    }
    const ArffWord& cell = word.value();
    if (cell.is_missing()) {
      row_[index] = kMissing;
      return {};
    }
    if (cell.text.empty() && !cell.is_quoted) return empty_cell(index);
    if (column.kind == ColumnKind::kNominal) return read_value(index, cell.text);
    const std::optional<double> number = number_of(cell.text);
    if (!number.has_value()) return not_a_number(index, column.name, cell.text);
    row_[index] = *number;
    return {};
  }

  Status read_value(std::size_t index, std::string_view text) {
    const std::optional<std::uint32_t> value = table_.find_value(index, text);
    if (value.has_value()) {
      row_[index] = *value;
      return {};
    }
    const Column& column = table_.column(index);
    const std::vector<std::string_view> known(column.values.begin(), column.values.end());
    return Error{shown_column(index, column.name) + " is " + shown(text) + "; one of its " +
                 std::to_string(known.size()) + " declared values was expected, such as " +
                 shown(nearest(text, known))};
  }

  // The index of a sparse cell, and the space behind it.
  Result<std::size_t> read_index(std::size_t lowest) {
    const Result<ArffWord> word = scanner_.word();
    if (!word.ok()) return Error{"a sparse row " + word.error().message};
    const std::string_view text = word.value().text;
    const std::optional<std::uint64_t> index = to_count(text);
    if (!index.has_value() || *index >= row_.size()) {
      return Error{"a sparse row has the column " + shown(text) + "; 0 to " +
                   std::to_string(row_.size() - 1) + " was expected"};
    }
    if (*index < lowest) {
      return Error{"a sparse row has the column " + shown(text) +
                   " twice or behind a later one; they have to ascend"};
    }
    scanner_.skip_space();
    return static_cast<std::size_t>(*index);
  }

  Status expect_end() {
    scanner_.skip_space();
    if (scanner_.at_end()) return {};
    if (scanner_.rest().starts_with(",{") || scanner_.rest().starts_with("{")) {
      return Error{"the row has a weight in braces; rows with weights are not read"};
    }
    return row_too_long(table_, scanner_.rest());
  }

  Error ends_early(std::size_t count) const {
    if (!scanner_.at_end()) {
      const std::size_t last = count - 1;
      return Error{shown_column(last, table_.column(last).name) + " is followed by " +
                   shown(scanner_.rest()) + "; a comma was expected"};
    }
    return row_too_short(table_, count);
  }

  Error empty_cell(std::size_t index) const {
    return Error{shown_column(index, table_.column(index).name) +
                 " is empty; a missing cell is written as ?"};
  }

  ArffScanner scanner_;
  TableBuilder& table_;
  std::span<const std::size_t> runs_;
  std::span<double> row_;
};

Result<Table> read_rows(LineReader& lines, std::uint64_t cell_limit) {
  TableBuilder table(cell_limit);
  const Status header = read_arff_header(lines, table);
  if (!header.ok()) return header.error();
  const std::vector<std::size_t> runs = numeric_runs(table);
  for (;;) {
    const Result<bool> more = lines.next();
    if (!more.ok()) return more.error();
    if (!more.value()) break;
    ArffRow row(lines.line(), table, runs);
    if (row.is_blank()) continue;
    const Status read = row.read();
    if (!read.ok()) return lines.error(read.error());
    const Status added = table.add_row();
    if (!added.ok()) return lines.error(added.error());
  }
  Result<Table> finished = table.finish();
  if (!finished.ok()) return Error{lines.name() + ": " + finished.error().message};
  return finished;
}

constexpr std::array<FormatEnding, 1> kEndings = {{{".arff"}}};

}  // namespace

constinit const FormatEntry kArffFormat = {
    .name = "arff",
    .meaning = "a header that declares the columns, then rows, dense or sparse",
    .endings = kEndings,
    .declares_classes = true,
    .read = [](const std::string& path, const ReadOptions& options) -> Result<Table> {
      Result<LineReader> lines = open_lines(path);
      if (!lines.ok()) return lines.error();
      return read_rows(lines.value(), options.cell_limit);
    },
};

}  // namespace handrail
