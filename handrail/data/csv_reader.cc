#include "handrail/data/csv_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "handrail/data/byte_source.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/csv_scanner.h"
#include "handrail/data/line_reader.h"
#include "handrail/data/table_builder.h"

namespace handrail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
// Rows from which the kinds of columns are guessed, kept as text until then.
constexpr std::size_t kSampleRows = 1000;
constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

bool is_missing(std::string_view text) {
  return text.empty() || text == "?" || text == "NA";
}

struct Record {
  std::uint64_t line_number;
  std::string text;
};

Result<std::vector<std::string>> cells_of(std::string_view record, char separator) {
  std::vector<std::string> cells;
  CsvScanner scanner(record, separator);
  do {
    const Result<std::string_view> cell = scanner.cell();
    if (!cell.ok()) {
      return Error{"column " + std::to_string(cells.size() + 1) + " " + cell.error().message};
    }
    cells.emplace_back(cell.value());
    if (cells.size() > kMaxColumns) return too_many_columns();
  } while (scanner.take_separator());
  return cells;
}

class CsvReader {
 public:
  CsvReader(const std::string& path, char separator, const ReadOptions& options)
      : path_(path), separator_(separator), options_(options) {}

  Result<Table> read() {
    Status done = open();
    if (done.ok()) done = read_beginning();
    if (done.ok()) done = guess_kinds();
    if (done.ok()) done = read_rows();
    if (done.ok() && has_met_words_) done = read_again();
    if (!done.ok()) return done.error();
    Result<Table> table = table_->finish();
    if (!table.ok()) return Error{lines_->name() + ": " + table.error().message};
    return table;
  }

 private:
  Status open() {
    Result<LineReader> lines = open_lines(path_);
    if (!lines.ok()) return lines.error();
    lines_ = std::make_unique<LineReader>(std::move(lines).value());
    return {};
  }

  // Names, from the first record or from nothing.
  Status read_beginning() {
    const Result<bool> more = next_record(*lines_, separator_);
    if (!more.ok()) return more.error();
    if (!more.value()) return Error{lines_->name() + ": has no rows"};
    const Result<std::vector<std::string>> cells = first_cells();
    if (!cells.ok()) return lines_->error(cells.error());
    first_line_ = lines_->line_number();
    has_header_ = is_header(cells.value());
    if (!has_header_) keep_record();
    kinds_.assign(cells.value().size(), ColumnKind::kNumeric);
    for (std::size_t i = 0; i < cells.value().size(); ++i) {
      names_.push_back(has_header_ ? cells.value()[i] : "column" + std::to_string(i + 1));
    }
    return take_nominal_columns();
  }

  // The first record. Files that call themselves CSV and are parted by something else would become
  // one wide column.
  Result<std::vector<std::string>> first_cells() const {
    Result<std::vector<std::string>> cells = cells_of(lines_->line(), separator_);
    if (cells.ok() && cells.value().size() > 1) return cells;
    for (const char other : {',', ';', '\t'}) {
      const auto otherwise = cells_of(lines_->line(), other);
      if (!otherwise.ok() || otherwise.value().size() == 1) continue;
      return Error{"one column only, and " + shown(std::string(1, other)) +
                   " in it; cells are parted by " + (separator_ == '\t' ? "tabs" : "commas")};
    }
    return cells;
  }

  bool is_header(const std::vector<std::string>& cells) const {
    if (options_.header != HeaderLine::kAuto) return options_.header == HeaderLine::kPresent;
    return std::none_of(cells.begin(), cells.end(),
                        [](const std::string& cell) { return kind_of(cell) == TextKind::kNumber; });
  }

  Status take_nominal_columns() {
    for (const std::string& name : options_.nominal_columns) {
      const auto found = std::find(names_.begin(), names_.end(), name);
      if (name.empty()) {
        kinds_.back() = ColumnKind::kNominal;
      } else if (found == names_.end()) {
        return Error{lines_->name() + ": has no column " + shown(name)};
      } else {
        kinds_[static_cast<std::size_t>(found - names_.begin())] = ColumnKind::kNominal;
      }
    }
    return {};
  }

  void keep_record() {
    sample_.push_back({lines_->line_number(), std::string(lines_->line())});
    sample_bytes_ += lines_->line().size();
  }

  Status guess_kinds() {
    while (sample_.size() < kSampleRows && sample_bytes_ < kSampleBytes) {
      const Result<bool> more = next_record(*lines_, separator_);
      if (!more.ok()) return more.error();
      if (!more.value()) break;
      keep_record();
    }
    for (const Record& record : sample_) {
      const Status looked = look_at(record.text);
      if (!looked.ok()) return lines_->error_at(record.line_number, looked.error().message);
    }
    return {};
  }

  // Text such as "nan" makes no column nominal: between numbers it is a mistake, which the reading
  // of the row will find, as it will rows of another length.
  Status look_at(std::string_view record) {
    CsvScanner scanner(record, separator_);
    std::vector<double> numbers(kinds_.size());
    std::size_t i = 0;
    do {
      const CellRun run = scan_numbers(scanner.rest(), separator_, std::span(numbers).subspan(i));
      scanner.move_to(run.end);
      i += run.count;
      if (run.count > 0) continue;
      const Result<std::string_view> cell = scanner.cell();
      if (!cell.ok()) return bad_cell(i, cell.error());
      if (!is_missing(cell.value()) && kind_of(cell.value()) == TextKind::kWord) {
        kinds_[i] = ColumnKind::kNominal;
      }
      ++i;
    } while (i < kinds_.size() && scanner.take_separator());
    return {};
  }

  Status read_rows() {
    const Status started = start_table();
    if (!started.ok()) return started;
    for (const Record& record : sample_) {
      const Status read = read_row(record.text);
      if (!read.ok()) return lines_->error_at(record.line_number, read.error().message);
    }
    for (;;) {
      const Result<bool> more = next_record(*lines_, separator_);
      if (!more.ok()) return more.error();
      if (!more.value()) return {};
      const Status read = read_row(lines_->line());
      if (!read.ok()) return lines_->error(read.error());
    }
  }

  Status start_table() {
    table_.emplace(options_.cell_limit);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Status added = table_->add_column({.name = names_[i], .kind = kinds_[i]});
      if (added.ok()) continue;
      const bool guessed = has_header_ && options_.header == HeaderLine::kAuto;
      return lines_->error_at(
          first_line_, added.error().message +
                           (guessed ? "; if this line is a row, say that there is no header" : ""));
    }
    runs_ = numeric_runs(*table_);
    return {};
  }

  Status read_row(std::string_view record) {
    CsvScanner scanner(record, separator_);
    for (std::size_t i = 0; i < kinds_.size();) {
      if (i > 0 && !scanner.take_separator()) return row_too_short(*table_, i);
      const CellRun run =
          scan_numbers(scanner.rest(), separator_, std::span(table_->row()).subspan(i, runs_[i]));
      scanner.move_to(run.end);
      i += run.count;
      if (run.count > 0) continue;
      const Status read = read_cell(i++, scanner);
      if (!read.ok()) return read;
    }
    if (!scanner.at_end()) return row_too_long(*table_, scanner.rest());
    if (has_met_words_) return {};
    return table_->add_row();
  }

  Status read_cell(std::size_t index, CsvScanner& scanner) {
    const Result<std::string_view> scanned = scanner.cell();
    if (!scanned.ok()) return bad_cell(index, scanned.error());
    const std::string_view text = scanned.value();
    double& cell = table_->row()[index];
    if (is_missing(text)) {
      cell = kMissing;
      return {};
    }
    if (kinds_[index] == ColumnKind::kNominal) {
      const Result<std::uint32_t> value = table_->find_or_add_value(index, text);
      if (!value.ok()) return value.error();
      cell = value.value();
      return {};
    }
    const std::optional<double> number = number_of(text);
    if (!number.has_value()) return meet_text(index, text);
    cell = *number;
    return {};
  }

  Error bad_cell(std::size_t index, const Error& why) const {
    return Error{shown_column(index, names_[index]) + " " + why.message};
  }

  // A text in a column that was numeric until here.
  Status meet_text(std::size_t index, std::string_view text) {
    const Error error = not_a_number(index, names_[index], text);
    if (kind_of(text) != TextKind::kWord) return error;
    if (!can_be_reopened(path_)) {
      return Error{error.message + ", as in the rows before; " + lines_->name() +
                   " cannot be read again: put it into a file, or name the column as nominal"};
    }
    if (is_second_reading_) return Error{error.message + "; was the file changed meanwhile?"};
    // The rest is looked at for more such columns, so that two readings are always enough.
    has_met_words_ = true;
    kinds_[index] = ColumnKind::kNominal;
    table_->forget_rows();
    return {};
  }

  Status read_again() {
    has_met_words_ = false;
    is_second_reading_ = true;
    sample_.clear();
    const Status opened = open();
    if (!opened.ok()) return opened;
    if (has_header_) {
      const Result<bool> header = next_record(*lines_, separator_);
      if (!header.ok()) return header.error();
    }
    return read_rows();
  }

  const std::string& path_;
  char separator_;
  const ReadOptions& options_;
  std::unique_ptr<LineReader> lines_;
  std::uint64_t first_line_ = 0;  // that is not blank
  bool has_header_ = false;       // in it
  std::vector<std::string> names_;
  std::vector<ColumnKind> kinds_;
  std::vector<Record> sample_;
  std::size_t sample_bytes_ = 0;
  std::optional<TableBuilder> table_;
  std::vector<std::size_t> runs_;  // of numeric columns of the table
  bool has_met_words_ = false;     // in a numeric column, so that this reading is for nothing
  bool is_second_reading_ = false;
};

constexpr std::array<FormatEnding, 1> kCsvEndings = {{{".csv"}}};
constexpr std::array<FormatEnding, 2> kTsvEndings = {{{".tsv"}, {".tab", false}}};

}  // namespace

Result<Table> read_csv(const std::string& path, char separator, const ReadOptions& options) {
  return CsvReader(path, separator, options).read();
}

constinit const FormatEntry kCsvFormat = {
    .name = "csv",
    .meaning = "cells with commas between them, quoted where they need it",
    .endings = kCsvEndings,
    .read = [](const std::string& path,
               const ReadOptions& options) { return read_csv(path, ',', options); },
};

constinit const FormatEntry kTsvFormat = {
    .name = "tsv",
    .meaning = "cells with tabs between them, quoted where they need it",
    .endings = kTsvEndings,
    .read = [](const std::string& path,
               const ReadOptions& options) { return read_csv(path, '\t', options); },
};

}  // namespace handrail
