#include "handrail/data/read_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "../../tests/packing.h"
#include "../../tests/table_fixture.h"
#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/data/arff_reader.h"
#include "handrail/data/csv_reader.h"
#include "handrail/data/format_registry.h"
#include "handrail/data/idx_reader.h"
#include "handrail/data/libsvm_reader.h"

namespace handrail {
namespace {

const std::string kArff = "@attribute a real\n@attribute b {x,y}\n@data\n1,x\n2,y\n";
const std::string kCsv = "a,b\n1,x\n2,y\n";
const std::string kLibsvm = "1 1:5\n2 1:6\n";

void expect_same(const Table& left, const Table& right) {
  ASSERT_TRUE(std::ranges::equal(left.columns(), right.columns()));
  ASSERT_EQ(left.row_count(), right.row_count());
  for (std::size_t row = 0; row < left.row_count(); ++row) {
    for (std::size_t i = 0; i < left.column_count(); ++i) {
      const double a = left.row(row)[i];
      const double b = right.row(row)[i];
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << row << " " << i;
    }
  }
}

TEST(ReadTable, TellsTheFormatByTheName) {
  EXPECT_EQ(table_of("t.arff", kArff).row_count(), 2u);
  EXPECT_EQ(table_of("t.csv.gz", packed_by_gzip(kCsv)).row_count(), 2u);
  EXPECT_EQ(table_of("t.tab.zst", packed_by_zstd("a\tb\n1\t2\n")).row_count(), 1u);
  EXPECT_EQ(table_of("t.libsvm.gz", packed_by_gzip(kLibsvm)).row_count(), 2u);
  EXPECT_EQ(refusal_of("t.data", kCsv),
            "t.data: its name does not tell its format; name one of " + join(format_names(), ", "));
}

TEST(ReadTable, WhatIsSaidOfTheFormatCounts) {
  EXPECT_EQ(table_of("t.data", kCsv, {.format = &kCsvFormat}).row_count(), 2u);
}

// Packed or not is seen in the bytes; names may lie.
TEST(ReadTable, DoesNotBelieveNamesAboutPacking) {
  expect_same(table_of("t.csv", packed_by_gzip(kCsv)), table_of("t.csv.gz", kCsv));
}

TEST(ReadTable, ReadsStdinIfTheFormatIsNamed) {
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(file_of("in", kLibsvm).c_str(), "rb", stdin), nullptr);
  EXPECT_EQ(
      read_table("-").error().message,
      "stdin has no name that would tell its format; name one of " + join(format_names(), ", "));
  EXPECT_EQ(read_table("-", {.format = &kLibsvmFormat}).value().row_count(), 2u);
  EXPECT_EQ(read_table("-", {.format = &kArffFormat}).error().message, "stdin: is empty");
  EXPECT_FALSE(read_table("-", {.format = &kIdxFormat}).ok());
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

// Names with everything that has a meaning somewhere.
std::string random_name(RandomStream& stream, std::size_t number) {
  constexpr std::string_view kSigns = "ab,'\"\\%{} ?;#:\t";
  std::string name = "n" + std::to_string(number);
  for (std::uint64_t i = stream.below(5); i > 0; --i) name += kSigns[stream.below(kSigns.size())];
  return name + "z";
}

Table random_table(std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 1);
  std::vector<Column> columns;
  for (std::uint64_t i = 1 + stream.below(6); i > 0; --i) {
    Column column{.name = random_name(stream, i)};
    if (stream.below(2) == 0) {
      column.kind = ColumnKind::kNominal;
      for (std::uint64_t value = 1 + stream.below(4); value > 0; --value) {
        column.values.push_back(random_name(stream, value));
      }
    }
    columns.push_back(std::move(column));
  }
  // Of CSV only what occurs is known of a nominal column: first, in order, all values occur.
  Table table(columns);
  for (std::uint64_t row = 0; row < 4 + stream.below(20); ++row) {
    std::vector<double> cells;
    for (const Column& column : columns) {
      const bool is_nominal = column.kind == ColumnKind::kNominal;
      const std::size_t count = column.values.size();
      const auto index = static_cast<double>(row < count ? row : stream.below(count + 1));
      const bool is_missing = row >= 4 && stream.below(5) == 0;
      const double number =
          stream.below(2) == 0 ? stream.normal() * 1e3 : static_cast<double>(stream.below(300));
      cells.push_back(is_missing   ? std::nan("")
                      : is_nominal ? std::fmod(index, static_cast<double>(count))
                                   : number);
    }
    table.add_row(cells);
  }
  return table;
}

std::string quoted(std::string_view text, char quote, bool by_backslash) {
  std::string result(1, quote);
  for (const char c : text) {
    if (by_backslash && (c == quote || c == '\\')) result += '\\';
    if (!by_backslash && c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

std::string rows_as_text(const Table& table, char quote, bool by_backslash) {
  std::string text;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    for (std::size_t i = 0; i < table.column_count(); ++i) {
      const Column& column = table.columns()[i];
      const double cell = table.row(row)[i];
      if (i > 0) text += ',';
      if (std::isnan(cell)) {
        text += '?';
      } else if (column.kind == ColumnKind::kNominal) {
        text += quoted(column.values[static_cast<std::size_t>(cell)], quote, by_backslash);
      } else {
        text += to_text(cell);
      }
    }
    text += '\n';
  }
  return text;
}

std::string as_arff(const Table& table, char quote) {
  std::string text = "@relation r\n";
  for (const Column& column : table.columns()) {
    text += "@attribute " + quoted(column.name, quote, true);
    if (column.kind == ColumnKind::kNumeric) {
      text += " real\n";
      continue;
    }
    std::string values;
    for (const std::string& value : column.values) values += "," + quoted(value, quote, true);
    text += " {" + values.substr(1) + "}\n";
  }
  return text + "@data\n" + rows_as_text(table, quote, true);
}

std::string as_csv(const Table& table) {
  std::string text;
  for (const Column& column : table.columns()) text += "," + quoted(column.name, '"', false);
  return text.substr(1) + "\n" + rows_as_text(table, '"', false);
}

TEST(ReadTable, GivesBackWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Table table = random_table(seed);
    expect_same(table_of("t.arff", as_arff(table, '\'')), table);
    expect_same(table_of("t.arff", as_arff(table, '"')), table);
    expect_same(table_of("t.csv", as_csv(table)), table);
    if (HasFatalFailure()) return;
  }
}

// A name and the bytes that belong to it.
std::pair<std::string, std::string> good_file(std::uint64_t choice, std::uint64_t seed) {
  switch (choice) {
    case 0:
      return {"t.arff", as_arff(random_table(seed), '\'')};
    case 1:
      return {"t.csv", as_csv(random_table(seed))};
    case 2:
      return {"t.libsvm", kLibsvm + "1 2:3 4:5 # c\n"};
    case 3:
      return {"t.arff", packed_by_gzip(as_arff(random_table(seed), '"'))};
    case 4:
      return {"t.csv", packed_by_zstd(as_csv(random_table(seed)))};
    default:
      return {"t.arff", "@attribute a real\n@attribute b {x,y}\n@data\n{0 1,1 y}\n{}\n{1 ?}\n"};
  }
}

// Whatever the bytes are, the answer is a table or a sentence that begins with the file's name.
TEST(ReadTable, DamagedFilesAreReadOrRefused) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomStream stream(seed, Purpose::kTest, 2);
    auto [name, bytes] = good_file(stream.below(6), seed % 50);
    for (std::uint64_t i = 1 + stream.below(4); i > 0; --i) {
      bytes[stream.below(bytes.size())] = static_cast<char>(stream.below(256));
    }
    if (stream.below(4) == 0) bytes.resize(1 + stream.below(bytes.size()));
    const std::string path = file_of(name, bytes);
    const Result<Table> read = read_table(path);
    if (read.ok()) continue;
    EXPECT_EQ(read.error().message.substr(0, path.size() + 1), path + ":") << "seed " << seed;
  }
}

}  // namespace
}  // namespace handrail
