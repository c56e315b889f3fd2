#include "handrail/data/arff_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../../tests/packing.h"
#include "../../tests/table_fixture.h"

namespace handrail {
namespace {

const std::string kHeader =
    "% a comment\n"
    "@RELATION 'three columns'\n"
    "\n"
    "@ATTRIBUTE length REAL\n"
    "@ATTRIBUTE colour {red,'dark green',blue}\n"
    "@ATTRIBUTE class {no,yes}\n"
    "@DATA\n";

std::vector<double> cells(const Table& table, std::size_t row) {
  return {table.row(row).begin(), table.row(row).end()};
}

// What is said of a row behind kHeader, in line 8.
std::string refusal_of_row(const std::string& row) {
  return refusal_of("t.arff", kHeader + row + "\n");
}

// What is said of a line in the header, the second.
std::string refusal_of_attribute(const std::string& line) {
  return refusal_of("t.arff", "@relation r\n" + line + "\n@data\n0\n");
}

using Cells = std::vector<double>;

TEST(ArffReader, ReadsColumnsAndRows) {
  const Table table = table_of("t.arff", kHeader + "1.5,red,no\n-2,'dark green',yes\n");
  ASSERT_EQ(table.column_count(), 3u);
  EXPECT_EQ(table.columns()[0], (Column{"length", ColumnKind::kNumeric}));
  EXPECT_EQ(table.columns()[1],
            (Column{"colour", ColumnKind::kNominal, {"red", "dark green", "blue"}}));
  EXPECT_EQ(table.columns()[2], (Column{"class", ColumnKind::kNominal, {"no", "yes"}}));
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(cells(table, 0), (Cells{1.5, 0, 0}));
  EXPECT_EQ(cells(table, 1), (Cells{-2, 1, 1}));
}

TEST(ArffReader, TakesWhatOtherProgramsWrite) {
  const Table table = table_of("t.arff",
                               "\xEF\xBB\xBF@Relation r\r\n"
                               "  @attribute 'it\\'s a \\\\\\tname\\n\\r' Numeric % so it is\r\n"
                               "@attribute\t\"double \\\" quotes\"\tINTEGER\r\n"
                               "@attribute c{ a , \"b c\",'d,e' }\r\n"
                               "@DATA % rows\r\n"
                               "\r\n"
                               "  1 , +2e0 , a % first\r\n"
                               "% none\r\n"
                               "3\t'4' \"b c\"\r\n"
                               "5,6.,'d,e'");
  EXPECT_EQ(table.columns()[0].name, "it's a \\\tname\n\r");
  EXPECT_EQ(table.columns()[1].name, "double \" quotes");
  EXPECT_EQ(table.columns()[2].values, (std::vector<std::string>{"a", "b c", "d,e"}));
  ASSERT_EQ(table.row_count(), 3u);
  EXPECT_EQ(cells(table, 0), (Cells{1, 2, 0}));
  EXPECT_EQ(cells(table, 1), (Cells{3, 4, 1}));
  EXPECT_EQ(cells(table, 2), (Cells{5, 6, 2}));
}

TEST(ArffReader, AQuestionMarkIsMissingUnlessItIsQuoted) {
  const Table table =
      table_of("t.arff", "@attribute a real\n@attribute b {'?',x}\n@data\n?,?\n1,'?'\n");
  EXPECT_TRUE(std::isnan(table.row(0)[0]));
  EXPECT_TRUE(std::isnan(table.row(0)[1]));
  EXPECT_EQ(cells(table, 1), (Cells{1, 0}));
}

TEST(ArffReader, ReadsSparseRows) {
  const Table table = table_of(
      "t.arff", kHeader + "{0 2.5, 2 yes}\n{}\n{ 1 'dark green' }\n{0 ?,1 blue,2 no}\n1,red,no\n");
  ASSERT_EQ(table.row_count(), 5u);
  EXPECT_EQ(cells(table, 0), (Cells{2.5, 0, 1}));
  EXPECT_EQ(cells(table, 1), (Cells{0, 0, 0}));
  EXPECT_EQ(cells(table, 2), (Cells{0, 1, 0}));
  EXPECT_TRUE(std::isnan(table.row(3)[0]));
  EXPECT_EQ(table.row(3)[1], 2.0);
  EXPECT_EQ(cells(table, 4), (Cells{1, 0, 0}));
}

TEST(ArffReader, NamesLineColumnAndValueOfABadCell) {
  EXPECT_EQ(refusal_of_row("abc,red,no"),
            "t.arff:8: column 1 'length' is \"abc\"; a number was expected");
  EXPECT_EQ(refusal_of_row("1x,red,no"),
            "t.arff:8: column 1 'length' is \"1x\"; a number was expected");
  for (const std::string text : {"nan", "NaN", "inf", "-Infinity"}) {
    EXPECT_EQ(refusal_of_row(text + ",red,no"),
              "t.arff:8: column 1 'length' is \"" + text + "\"; a finite number was expected");
  }
  EXPECT_EQ(refusal_of_row("1e400,red,no"),
            "t.arff:8: column 1 'length' is \"1e400\"; a number within the range of a double was "
            "expected");
  EXPECT_EQ(refusal_of_row("1,reed,no"),
            "t.arff:8: column 2 'colour' is \"reed\"; one of its 3 declared values was expected, "
            "such as \"red\"");
  EXPECT_EQ(refusal_of_row(",red,no"),
            "t.arff:8: column 1 'length' is empty; a missing cell is written as ?");
  EXPECT_EQ(refusal_of_row("'',red,no"),
            "t.arff:8: column 1 'length' is empty; a number was expected");
  EXPECT_EQ(refusal_of_row("1,'red,no"),
            "t.arff:8: column 2 'colour' has a quote that is not closed on its line");
}

TEST(ArffReader, RefusesRowsOfAnotherLength) {
  EXPECT_EQ(refusal_of_row("1,red"),
            "t.arff:8: the row ends after 2 of 3 columns; the next is column 3 'class'");
  EXPECT_EQ(refusal_of_row("1,red,no,7"),
            "t.arff:8: the row goes on with \",7\" behind the last of 3 columns");
  EXPECT_EQ(refusal_of_row("1,'red'x,no"),
            "t.arff:8: column 2 'colour' is followed by \"x,no\"; a comma was expected");
  EXPECT_EQ(refusal_of_row("1,red,no,{5}"),
            "t.arff:8: the row has a weight in braces; rows with weights are not read");
}

TEST(ArffReader, RefusesBadSparseRows) {
  EXPECT_EQ(refusal_of_row("{3 1}"),
            "t.arff:8: a sparse row has the column \"3\"; 0 to 2 was expected");
  EXPECT_EQ(refusal_of_row("{-1 1}"),
            "t.arff:8: a sparse row has the column \"-1\"; 0 to 2 was expected");
  EXPECT_EQ(refusal_of_row("{99999999999999999999 1}"),
            "t.arff:8: a sparse row has the column \"99999999999999999999\"; 0 to 2 was expected");
  EXPECT_EQ(refusal_of_row("{1 red,0 1}"),
            "t.arff:8: a sparse row has the column \"0\" twice or behind a later one; they have "
            "to ascend");
  EXPECT_EQ(refusal_of_row("{0 1,0 1}"),
            "t.arff:8: a sparse row has the column \"0\" twice or behind a later one; they have "
            "to ascend");
  EXPECT_EQ(refusal_of_row("{0 1"), "t.arff:8: a sparse row has no closing brace");
  EXPECT_EQ(refusal_of_row("{0 x}"), "t.arff:8: column 1 'length' is \"x\"; a number was expected");
  EXPECT_EQ(refusal_of_row("{0}"),
            "t.arff:8: column 1 'length' is empty; a missing cell is written as ?");
  EXPECT_EQ(refusal_of_row("{0 1} 5"),
            "t.arff:8: the row goes on with \"5\" behind the last of 3 columns");
  EXPECT_EQ(refusal_of_row("{,}"),
            "t.arff:8: a sparse row has the column \"\"; 0 to 2 was expected");
}

TEST(ArffReader, RefusesColumnsThatAreNeitherNumericNorNominal) {
  EXPECT_EQ(refusal_of_attribute("@attribute a string"),
            "t.arff:2: column 1 'a' is a string column; only numeric and nominal columns are "
            "read: leave it out, or list its values in braces");
  EXPECT_EQ(refusal_of_attribute("@attribute a DATE \"yyyy-MM-dd\""),
            "t.arff:2: column 1 'a' is a date column; only numeric and nominal columns are read: "
            "write it as a number, or leave it out");
  EXPECT_EQ(refusal_of_attribute("@attribute a relational"),
            "t.arff:2: column 1 'a' is a relational column; only numeric and nominal columns are "
            "read");
  EXPECT_EQ(refusal_of_attribute("@attribute a colour"),
            "t.arff:2: column 1 'a' has the kind \"colour\"; numeric, real, integer or a list of "
            "values in braces was expected");
}

TEST(ArffReader, RefusesBadHeaders) {
  EXPECT_EQ(refusal_of_attribute("@attribute a {x,y"),
            "t.arff:2: column 1 'a' has no closing brace behind its values");
  EXPECT_EQ(refusal_of_attribute("@attribute a {x,,y}"),
            "t.arff:2: column 1 'a' has an empty value in its list");
  EXPECT_EQ(refusal_of_attribute("@attribute a {}"),
            "t.arff:2: column 1 'a' has an empty list of values");
  EXPECT_EQ(refusal_of_attribute("@attribute a {x,y,x}"),
            "t.arff:2: column 1 'a' has the value \"x\" twice");
  EXPECT_EQ(refusal_of_attribute("@attribute a real [0, 1]"),
            "t.arff:2: column 1 'a' has \"[0, 1]\" behind its kind");
  EXPECT_EQ(refusal_of_attribute("@attribute 'a real"),
            "t.arff:2: column 1 has a quote that is not closed on its line");
  EXPECT_EQ(refusal_of_attribute("@attribute"),
            "t.arff:2: column 1 '' has the kind \"\"; "
            "numeric, real, integer or a list of values in braces was expected");
  EXPECT_EQ(refusal_of_attribute("@attribute a real\n@attribute a real"),
            "t.arff:3: column 2 'a' has the name of an earlier column");
  EXPECT_EQ(refusal_of_attribute("@inputs a"),
            "t.arff:2: \"@inputs\" is none of @relation, @attribute and @data; is this ARFF?");
  EXPECT_EQ(refusal_of("t.arff", "@data\n1\n"), "t.arff:1: @data comes before any @attribute");
  EXPECT_EQ(refusal_of("t.arff", "@attribute a real\n"),
            "t.arff: ends before a line @data; is this ARFF?");
  EXPECT_EQ(refusal_of("t.arff", "@attribute a real\n@data\n% none\n"), "t.arff: has no rows");
}

TEST(ArffReader, RefusesAMillionColumnsAndValues) {
  std::string header;
  for (int i = 0; i < 1'000'000; ++i) header += "@attribute a" + std::to_string(i) + " real\n";
  EXPECT_EQ(refusal_of("t.arff", header + "@data\n"),
            "t.arff:100001: more than 100000 columns; no more are read");
  std::string values = "@attribute a {0";
  for (int i = 1; i < 1'000'000; ++i) values += "," + std::to_string(i);
  EXPECT_EQ(refusal_of("t.arff", values + "}\n@data\n"),
            "t.arff:1: column 1 'a' has more than 10000 different values; it looks like free text "
            "or an identifier: leave it out");
}

// Three bytes a row, and a thousand cells each.
TEST(ArffReader, ASmallSparseFileCannotAskForAllMemory) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "@attribute a" + std::to_string(i) + " real\n";
  text += "@data\n";
  for (int i = 0; i < 200; ++i) text += "{}\n";
  EXPECT_EQ(refusal_of("t.arff", text, {.cell_limit = 100'000}),
            "t.arff:1102: more than 100000 cells (rows times columns), which is the limit");
}

TEST(ArffReader, FindsDamageBehindTheRowsItHasRead) {
  std::string text = kHeader;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ",red,yes\n";
  const std::string packed = packed_by_gzip(text);
  EXPECT_EQ(refusal_of("t.arff.gz", packed.substr(0, packed.size() - 3)),
            "t.arff.gz: ends in the middle of its gzip bytes; was it cut?");
}

}  // namespace
}  // namespace handrail
