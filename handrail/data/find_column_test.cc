#include "handrail/data/find_column.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

Table sample() {
  return Table({{.name = "x"},
                {.name = "c", .kind = ColumnKind::kNominal, .values = {"red", "blue"}},
                {.name = "y"}});
}

std::string refusal(const Result<std::size_t>& found) {
  return found.ok() ? "no refusal" : found.error().message;
}

TEST(FindColumn, AMissingColumnIsAnsweredWithTheNearest) {
  EXPECT_EQ(find_column(sample(), "y", "ignored").value(), 2U);
  EXPECT_EQ(refusal(find_column(sample(), "cc", "a cost")),
            "no column is called \"cc\", which was to be a cost; the nearest is \"c\"");
}

TEST(FindColumn, TheClassIsANominalColumn) {
  EXPECT_EQ(find_class_column(sample(), "c").value(), 1U);
  EXPECT_EQ(refusal(find_class_column(sample(), "x")),
            "column \"x\" is numeric, and the class has to be nominal");
  EXPECT_EQ(refusal(find_class_column(sample(), "cc")),
            "no column is called \"cc\", which was to be the class; the nearest is \"c\"");
}

TEST(FindColumn, TheClassIsTheLastColumnIfNoneIsNamed) {
  // By its place: a column before it may have the same name.
  const Table table({{.name = "c"}, {.name = "c", .kind = ColumnKind::kNominal}});
  EXPECT_EQ(find_class_column(table, "").value(), 1U);
  EXPECT_EQ(refusal(find_class_column(sample(), "")),
            "column \"y\" is numeric, and the class, the last column if none is named, has to be "
            "nominal");
}

TEST(FindColumn, ATableWithoutColumnsIsRefused) {
  EXPECT_EQ(refusal(find_column(Table({}), "c", "ignored")), "has no columns");
  EXPECT_EQ(refusal(find_class_column(Table({}), "")), "has no columns");
}

}  // namespace
}  // namespace handrail
