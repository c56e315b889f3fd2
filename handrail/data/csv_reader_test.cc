#include "handrail/data/csv_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <thread>

#include "../../tests/table_fixture.h"
#include "handrail/data/table_builder.h"

namespace handrail {
namespace {

using Cells = std::vector<double>;
using Names = std::vector<std::string>;

Cells cells(const Table& table, std::size_t row) {
  return {table.row(row).begin(), table.row(row).end()};
}

Names names(const Table& table) {
  Names all;
  for (const Column& column : table.columns()) all.push_back(column.name);
  return all;
}

// Rows enough that kinds are guessed before the last of them is seen.
std::string many_rows(std::string_view row) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::string(row) + "\n";
  return text;
}

TEST(CsvReader, ReadsNumbersAndNames) {
  const Table table = table_of("t.csv", "length,colour,class\n1.5,red,no\n-2e1,green,yes\n");
  EXPECT_EQ(table.columns()[0], (Column{"length", ColumnKind::kNumeric}));
  EXPECT_EQ(table.columns()[1], (Column{"colour", ColumnKind::kNominal, {"red", "green"}}));
  EXPECT_EQ(table.columns()[2], (Column{"class", ColumnKind::kNominal, {"no", "yes"}}));
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(cells(table, 0), (Cells{1.5, 0, 0}));
  EXPECT_EQ(cells(table, 1), (Cells{-20, 1, 1}));
}

TEST(CsvReader, TakesWhatOtherProgramsWrite) {
  const Table table = table_of("t.csv",
                               "\xEF\xBB\xBF\"a \"\"b\"\"\", c ,\"two\r\nlines\"\r\n"
                               "1 ,\tx, \"5\" \r\n"
                               "\r\n"
                               "+2,\"x,\ny\",6\r\n"
                               "3,\" x\",7");
  EXPECT_EQ(names(table), (Names{"a \"b\"", "c", "two\r\nlines"}));
  EXPECT_EQ(table.columns()[1].values, (Names{"x", "x,\ny", " x"}));
  ASSERT_EQ(table.row_count(), 3u);
  EXPECT_EQ(cells(table, 0), (Cells{1, 0, 5}));
  EXPECT_EQ(cells(table, 1), (Cells{2, 1, 6}));
  EXPECT_EQ(cells(table, 2), (Cells{3, 2, 7}));
}

TEST(CsvReader, ReadsCellsPartedByTabs) {
  const Table table = table_of("t.tsv", "a\tb c\n1,5\tx y\n\t\n");
  EXPECT_EQ(names(table), (Names{"a", "b c"}));
  EXPECT_EQ(table.columns()[0].values, (Names{"1,5"}));
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_TRUE(std::isnan(table.row(1)[0]));
  EXPECT_TRUE(std::isnan(table.row(1)[1]));
}

TEST(CsvReader, MissingCellsAreEmptyOrMarked) {
  const Table table = table_of("t.csv", "a,b\n,x\n?,\n NA ,\"?\"\n\"\",NA\n4,y\n");
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::kNumeric);
  EXPECT_EQ(table.columns()[1].values, (Names{"x", "y"}));
  ASSERT_EQ(table.row_count(), 5u);
  for (std::size_t row = 0; row < 4; ++row) EXPECT_TRUE(std::isnan(table.row(row)[0]));
  for (std::size_t row = 1; row < 4; ++row) EXPECT_TRUE(std::isnan(table.row(row)[1]));
  EXPECT_EQ(cells(table, 4), (Cells{4, 1}));
}

TEST(CsvReader, AFirstLineWithANumberIsARow) {
  EXPECT_EQ(names(table_of("t.csv", "a,b\n1,2\n")), (Names{"a", "b"}));
  const Table table = table_of("t.csv", "x,1\ny,2\n");
  EXPECT_EQ(names(table), (Names{"column1", "column2"}));
  EXPECT_EQ(table.row_count(), 2u);
}

TEST(CsvReader, TheHeaderCanBeSaid) {
  const Table with = table_of("t.csv", "1,2\n3,4\n", {.header = HeaderLine::kPresent});
  EXPECT_EQ(names(with), (Names{"1", "2"}));
  EXPECT_EQ(with.row_count(), 1u);
  const Table without = table_of("t.csv", "x,y\nz,y\n", {.header = HeaderLine::kAbsent});
  EXPECT_EQ(names(without), (Names{"column1", "column2"}));
  EXPECT_EQ(without.row_count(), 2u);
}

TEST(CsvReader, NamedColumnsAreNominal) {
  const Table table = table_of("t.csv", "a,b,c\n1,2,3\n1.0,4,3\n", {.nominal_columns = {"a", ""}});
  EXPECT_EQ(table.columns()[0].values, (Names{"1", "1.0"}));
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::kNumeric);
  EXPECT_EQ(table.columns()[2].values, Names{"3"});
  EXPECT_EQ(refusal_of("t.csv", "a\n1\n", {.nominal_columns = {"b"}}),
            "t.csv: has no column \"b\"");
}

TEST(CsvReader, StartsAgainWhenAWordComesLate) {
  const Table table = table_of(
      "t.csv", "a,b,c\n" + many_rows("1,2,3") + "x,2,3\n" + many_rows("4,5,6") + "4,5,y\n");
  ASSERT_EQ(table.row_count(), 10'002u);
  EXPECT_EQ(table.columns()[0].values, (Names{"1", "x", "4"}));
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::kNumeric);
  EXPECT_EQ(table.columns()[2].values, (Names{"3", "6", "y"}));
  EXPECT_EQ(cells(table, 5000), (Cells{1, 2, 0}));
  EXPECT_EQ(cells(table, 10'001), (Cells{2, 5, 2}));
}

// A pipe gives its bytes once.
TEST(CsvReader, SaysWhatToDoWhenItCannotStartAgain) {
  const std::string path = temporary_path("pipe.csv");
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer(
      [&] { std::ofstream(path, std::ios::binary) << "a,b\n" + many_rows("1,2") + "x,2\n"; });
  const Result<Table> table = read_table(path);
  writer.join();
  ::unlink(path.c_str());
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().message,
            path + ":5002: column 1 'a' is \"x\"; a number was expected, as in the rows before; " +
                path + " cannot be read again: put it into a file, or name the column as nominal");
}

TEST(CsvReader, TextThatIsNotFiniteIsNoNumberAndNoName) {
  EXPECT_EQ(refusal_of("t.csv", "a,b\n1,2\nnan,3\n"),
            "t.csv:3: column 1 'a' is \"nan\"; a finite number was expected");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n" + many_rows("1,2") + "2,-Inf\n"),
            "t.csv:5002: column 2 'b' is \"-Inf\"; a finite number was expected");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n1,2\n1e400,3\n"),
            "t.csv:3: column 1 'a' is \"1e400\"; a number within the range of a double was "
            "expected");
  EXPECT_EQ(table_of("t.csv", "a,b\nnan,1\nx,2\n").columns()[0].values, (Names{"nan", "x"}));
}

TEST(CsvReader, RefusesRowsOfAnotherLength) {
  EXPECT_EQ(refusal_of("t.csv", "a,b,c\n1,2,3\n1,2\n"),
            "t.csv:3: the row ends after 2 of 3 columns; the next is column 3 'c'");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n" + many_rows("1,2") + "1,2,3\n"),
            "t.csv:5002: the row goes on with \",3\" behind the last of 2 columns");
}

TEST(CsvReader, NamesLinesBehindCellsOfSeveralLines) {
  EXPECT_EQ(refusal_of("t.csv", "a,b\n1,\"x\ny\nz\"\n1\n"),
            "t.csv:5: the row ends after 1 of 2 columns; the next is column 2 'b'");
}

TEST(CsvReader, RefusesBadHeaders) {
  EXPECT_EQ(refusal_of("t.csv", "\na,,c\n1,2,3\n"),
            "t.csv:2: column 2 has an empty name; if this line is a row, say that there is no "
            "header");
  EXPECT_EQ(refusal_of("t.csv", "x,y,x\nz,y,z\n"),
            "t.csv:1: column 3 'x' has the name of an earlier column; if this line is a row, "
            "say that there is no header");
  EXPECT_EQ(refusal_of("t.csv", "1,1\n2,3\n", {.header = HeaderLine::kPresent}),
            "t.csv:1: column 2 '1' has the name of an earlier column");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n"), "t.csv: has no rows");
  EXPECT_EQ(refusal_of("t.csv", "\n\n"), "t.csv: has no rows");
}

TEST(CsvReader, NoticesAnotherSeparator) {
  EXPECT_EQ(refusal_of("t.csv", "a;b;c\n1;2;3\n"),
            "t.csv:1: one column only, and \";\" in it; cells are parted by commas");
  EXPECT_EQ(refusal_of("t.csv", "\"a\";\"b\"\n1;2\n"),
            "t.csv:1: one column only, and \";\" in it; cells are parted by commas");
  EXPECT_EQ(names(table_of("t.csv", "\"a;b\"\nx\n")), Names{"a;b"});
  EXPECT_EQ(refusal_of("t.tsv", "a,b\n1,2\n"),
            "t.tsv:1: one column only, and \",\" in it; cells are parted by tabs");
}

TEST(CsvReader, RefusesBadQuotes) {
  EXPECT_EQ(refusal_of("t.csv", "a,b\n1,\"x\n2,y\n"),
            "t.csv:2: a quote that opens in this record is never closed");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n1,6\" pipe\n2,y\n"),
            "t.csv:2: column 2 'b' has a quote in the middle; put the cell into quotes, and double "
            "those in it");
  EXPECT_EQ(refusal_of("t.csv", "a,b\n" + many_rows("1,x") + "1,\"x\"y\n"),
            "t.csv:5002: column 2 'b' goes on behind its closing quote; quotes in a cell have to "
            "be doubled");
}

// Each line looked at once: with a record scanned anew for each of its lines this would take hours.
TEST(CsvReader, ACellMayHoldManyLines) {
  const std::string lines(8'000'000, '\n');
  const Table table = table_of("t.csv", "a,b\n1,\"" + lines + "\"\n");
  EXPECT_EQ(table.columns()[1].values[0], lines);
}

TEST(CsvReader, RefusesWhatLooksLikeAnIdentifier) {
  std::string text = "name,b\n";
  for (std::size_t i = 0; i <= kMaxValuesOfColumn; ++i) text += "n" + std::to_string(i) + ",1\n";
  EXPECT_EQ(refusal_of("t.csv", text),
            "t.csv:10002: column 1 'name' has more than 10000 different values; it looks like "
            "free text or an identifier: leave it out");
}

TEST(CsvReader, RefusesAMillionColumns) {
  std::string row = "1";
  for (int i = 1; i < 1'000'000; ++i) row += ",1";
  EXPECT_EQ(refusal_of("t.csv", row + "\n"), "t.csv:1: more than 100000 columns; no more are read");
}

TEST(CsvReader, RefusesTooManyCells) {
  EXPECT_EQ(refusal_of("t.csv", many_rows("1,2"), {.cell_limit = 9'000}),
            "t.csv:4501: more than 9000 cells (rows times columns), which is the limit");
}

}  // namespace
}  // namespace handrail
