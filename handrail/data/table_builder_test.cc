#include "handrail/data/table_builder.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

constexpr std::uint64_t kManyCells = 1'000'000;

std::string refusal_of(const Status& status) {
  return status.ok() ? "no refusal" : status.error().message;
}

TEST(Table, RowsStayApartHoweverManyThereAre) {
  for (const std::size_t width : {1u, 3u, 785u, 70'000u}) {
    std::vector<Column> columns(width);
    Table table(columns);
    std::vector<double> row(width);
    const std::size_t count = 400'000 / width + 5;
    for (std::size_t i = 0; i < count; ++i) {
      row.front() = row.back() = static_cast<double>(i);
      table.add_row(row);
    }
    ASSERT_EQ(table.row_count(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(table.row(i).size(), width);
      ASSERT_EQ(table.row(i).front(), static_cast<double>(i));
      ASSERT_EQ(table.row(i).back(), static_cast<double>(i));
    }
  }
}

TEST(TableBuilder, FindsValuesByName) {
  TableBuilder table(kManyCells);
  ASSERT_TRUE(table.add_column({"a", ColumnKind::kNominal, {"x", "y"}}).ok());
  EXPECT_EQ(table.find_value(0, "y"), 1u);
  EXPECT_FALSE(table.find_value(0, "z").has_value());
  EXPECT_EQ(table.find_or_add_value(0, "z").value(), 2u);
  EXPECT_EQ(table.find_or_add_value(0, "x").value(), 0u);
  EXPECT_EQ(table.column(0).values, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(TableBuilder, KeepsValuesThatWereLearnedAfterTheFirstRow) {
  TableBuilder table(kManyCells);
  ASSERT_TRUE(table.add_column({"a", ColumnKind::kNominal}).ok());
  for (const char* value : {"x", "y"}) {
    table.row()[0] = table.find_or_add_value(0, value).value();
    ASSERT_TRUE(table.add_row().ok());
  }
  const Table finished = table.finish().value();
  EXPECT_EQ(finished.columns()[0].values, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(finished.row(1)[0], 1.0);
}

TEST(TableBuilder, RefusesNamesThatAreEmptyLongOrTaken) {
  TableBuilder table(kManyCells);
  ASSERT_TRUE(table.add_column({"a"}).ok());
  EXPECT_EQ(refusal_of(table.add_column({""})), "column 2 has an empty name");
  EXPECT_EQ(refusal_of(table.add_column({"a"})), "column 2 'a' has the name of an earlier column");
  EXPECT_NE(refusal_of(table.add_column({std::string(1001, 'x')}))
                .find("has a name of more than 1000 bytes"),
            std::string::npos);
  EXPECT_EQ(refusal_of(table.add_column({"b", ColumnKind::kNominal, {"x", "y", "x"}})),
            "column 2 'b' has the value \"x\" twice");
}

TEST(TableBuilder, RefusesOneColumnTooMany) {
  TableBuilder table(kManyCells);
  for (std::size_t i = 0; i < kMaxColumns; ++i) {
    ASSERT_TRUE(table.add_column({std::to_string(i)}).ok());
  }
  EXPECT_EQ(refusal_of(table.add_column({"a"})), "more than 100000 columns; no more are read");
}

TEST(TableBuilder, RefusesOneValueTooMany) {
  TableBuilder table(kManyCells);
  ASSERT_TRUE(table.add_column({"id", ColumnKind::kNominal}).ok());
  for (std::size_t i = 0; i < kMaxValuesOfColumn; ++i) {
    ASSERT_TRUE(table.find_or_add_value(0, std::to_string(i)).ok());
  }
  EXPECT_TRUE(table.find_or_add_value(0, "0").ok());
  EXPECT_EQ(table.find_or_add_value(0, "x").error().message,
            "column 1 'id' has more than 10000 different values; it looks like free text or an "
            "identifier: leave it out");
}

TEST(TableBuilder, RefusesTooManyValuesAndBytesOfAllColumns) {
  TableBuilder many(kManyCells);
  bool refused = false;
  for (std::size_t i = 0; i <= kMaxValues && !refused; ++i) {
    const std::size_t column = i / 9'000;
    if (i % 9'000 == 0) {
      ASSERT_TRUE(many.add_column({std::to_string(column), ColumnKind::kNominal}).ok());
    }
    refused = !many.find_or_add_value(column, std::to_string(i)).ok();
  }
  EXPECT_TRUE(refused);
  TableBuilder long_ones(kManyCells);
  ASSERT_TRUE(long_ones.add_column({"a", ColumnKind::kNominal}).ok());
  const std::string text(kMaxValueBytes / 4, 'x');
  for (const char* end : {"1", "2", "3"}) {
    EXPECT_TRUE(long_ones.find_or_add_value(0, text + end).ok());
  }
  EXPECT_FALSE(long_ones.find_or_add_value(0, text + "4").ok());
}

TEST(TableBuilder, RefusesOneCellTooMany) {
  TableBuilder table(5);
  ASSERT_TRUE(table.add_column({"a"}).ok());
  ASSERT_TRUE(table.add_column({"b"}).ok());
  EXPECT_TRUE(table.add_row().ok());
  EXPECT_TRUE(table.add_row().ok());
  EXPECT_EQ(refusal_of(table.add_row()),
            "more than 5 cells (rows times columns), which is the limit");
}

TEST(TableBuilder, RefusesATableWithoutRows) {
  TableBuilder table(kManyCells);
  ASSERT_TRUE(table.add_column({"a"}).ok());
  EXPECT_EQ(table.finish().error().message, "has no rows");
}

}  // namespace
}  // namespace handrail
