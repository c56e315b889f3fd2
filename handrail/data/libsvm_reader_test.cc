#include "handrail/data/libsvm_reader.h"

#include <gtest/gtest.h>

#include "../../tests/table_fixture.h"

namespace handrail {
namespace {

using Cells = std::vector<double>;

Cells cells(const Table& table, std::size_t row) {
  return {table.row(row).begin(), table.row(row).end()};
}

std::string refusal_of_row(const std::string& row) {
  return refusal_of("t.libsvm", "1 1:1\n" + row + "\n");
}

TEST(LibsvmReader, ReadsRowsAndLabels) {
  const Table table = table_of("t.svm",
                               "# a comment\n"
                               "+1 1:0.5 3:-2e1 # the first\n"
                               "\n"
                               "-1\r\n"
                               "1\t2:+7 5:0 \r\n");
  ASSERT_EQ(table.column_count(), 6u);
  EXPECT_EQ(table.columns()[0].name, "feature1");
  EXPECT_EQ(table.columns()[4].name, "feature5");
  EXPECT_EQ(table.columns()[5], (Column{"class", ColumnKind::kNominal, {"1", "-1"}}));
  ASSERT_EQ(table.row_count(), 3u);
  EXPECT_EQ(cells(table, 0), (Cells{0.5, 0, -20, 0, 0, 0}));
  EXPECT_EQ(cells(table, 1), (Cells{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(cells(table, 2), (Cells{0, 7, 0, 0, 0, 0}));
}

TEST(LibsvmReader, RefusesBadRows) {
  EXPECT_EQ(refusal_of_row("cat 1:1"),
            "t.libsvm:2: the row begins with \"cat\"; a number was expected as its label");
  EXPECT_EQ(refusal_of_row("1:1 2:1"),
            "t.libsvm:2: the row begins with \"1:1\"; a number was expected as its label");
  EXPECT_EQ(refusal_of_row("1,2 1:1"),
            "t.libsvm:2: the row begins with \"1,2\"; a number was expected as its label");
  EXPECT_EQ(refusal_of_row("nan 1:1"),
            "t.libsvm:2: the row begins with \"nan\"; a number was expected as its label");
  EXPECT_EQ(refusal_of_row("1 qid:3 1:1"),
            "t.libsvm:2: the row has a qid; files for ranking are not read");
  EXPECT_EQ(refusal_of_row("1 2:abc"),
            "t.libsvm:2: column 2 'feature2' is \"abc\"; a number was expected");
  EXPECT_EQ(refusal_of_row("1 2:"),
            "t.libsvm:2: column 2 'feature2' is empty; a number was expected");
  EXPECT_EQ(refusal_of_row("1 2:inf"),
            "t.libsvm:2: column 2 'feature2' is \"inf\"; a finite number was expected");
  for (const std::string word : {"0:1", "-1:1", "x:1", "5", "1.5:2", ":"}) {
    EXPECT_EQ(refusal_of_row("1 " + word), "t.libsvm:2: \"" + word +
                                               "\" is no index:value; indexes are whole numbers "
                                               "from 1");
  }
}

TEST(LibsvmReader, IndexesHaveToAscend) {
  EXPECT_EQ(refusal_of_row("1 2:1 2:1"),
            "t.libsvm:2: index 2 comes behind index 2; they have to ascend");
  EXPECT_EQ(refusal_of_row("1 3:1 2:1"),
            "t.libsvm:2: index 2 comes behind index 3; they have to ascend");
}

TEST(LibsvmReader, RefusesFilesWithoutRowsOrFeatures) {
  EXPECT_EQ(refusal_of("t.libsvm", "# nothing\n"), "t.libsvm: has no rows");
  EXPECT_EQ(refusal_of("t.libsvm", "1\n2\n"), "t.libsvm: has no features, only labels");
}

TEST(LibsvmReader, ASmallFileCannotAskForAllMemory) {
  EXPECT_EQ(refusal_of_row("1 1000000:1"),
            "t.libsvm:2: index 1000000: more than 100000 columns; no more are read");
  EXPECT_EQ(refusal_of_row("1 18446744073709551617:1"),
            "t.libsvm:2: \"18446744073709551617:1\" is no index:value; indexes are whole numbers "
            "from 1");
  std::string text;
  for (int i = 0; i < 100; ++i) text += "1\n";
  EXPECT_EQ(refusal_of("t.libsvm", text + "1 99999:1\n", {.cell_limit = 10'000'000}),
            "t.libsvm:101: more than 10000000 cells (rows times columns), which is the limit");
}

TEST(LibsvmReader, RefusesLabelsOfARegression) {
  std::string text;
  for (int i = 0; i < 10'001; ++i) text += std::to_string(i) + ".5 1:1\n";
  EXPECT_EQ(refusal_of("t.libsvm", text),
            "t.libsvm:10001: column 1 'class' has more than 10000 different values; it looks like "
            "free text or an identifier: leave it out");
}

}  // namespace
}  // namespace handrail
