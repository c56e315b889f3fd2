#include "handrail/env/data_table.h"

#include <gtest/gtest.h>

#include "tests/data_fixture.h"
#include "tests/table_fixture.h"

namespace handrail {
namespace {

constexpr std::string_view kShop = "id,price,banner,bought\n1,2.5,a,0\n2,3.5,b,1\n3,4,a,1\n";

Result<DataTable> load(const std::string& spec) {
  return load_data(parse_data(spec).value(), CatalogConfig{});
}

ColumnRoles roles_in(const std::string& spec) {
  const Result<DataTable> data = load(spec);
  EXPECT_TRUE(data.ok()) << data.error().message;
  return roles_of_columns(data.value().table, data.value().config).value();
}

using Columns = std::vector<std::size_t>;

TEST(DataTable, ColumnsHaveTheRolesThatTheSpecGivesThem) {
  const std::string path = file_of("shop.csv", kShop);
  const ColumnRoles last = roles_in(path);
  EXPECT_EQ(last.class_column, 3u);
  EXPECT_EQ(last.features, (Columns{0, 1, 2}));
  const ColumnRoles named = roles_in(path + ":class=banner,ignore=id,baseline=column:bought");
  EXPECT_EQ(named.class_column, 2u);
  EXPECT_EQ(named.ignored, Columns{0});
  EXPECT_EQ(named.baseline, 3u);
  EXPECT_EQ(named.features, Columns{1});
  const ColumnRoles costs = roles_in(path + ":costs=bought|price,cost_max=9,ignore=id");
  EXPECT_FALSE(costs.class_column.has_value());
  EXPECT_EQ(costs.cost_columns, (Columns{3, 1}));
  EXPECT_EQ(costs.features, Columns{2});
}

// The columns of classes and of the baseline hold names even if they look like numbers.
TEST(DataTable, ClassAndBaselineAreReadAsNames) {
  const std::string path = file_of("shop.csv", kShop);
  const Table table = load(path + ":class=bought,baseline=column:id").value().table;
  EXPECT_EQ(table.columns()[3].kind, ColumnKind::kNominal);
  EXPECT_EQ(table.columns()[0].kind, ColumnKind::kNominal);
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::kNumeric);
}

TEST(DataTable, RefusesMeasurementsAsClassesUnlessTheFileDeclaresThem) {
  const Result<DataTable> data = load(file_of("shop.csv", kShop) + ":class=price");
  ASSERT_TRUE(data.ok());
  EXPECT_NE(check_class_names(data.value()).error().message.find("holds numbers such as 2.5"),
            std::string::npos);
  const std::string declared =
      "@relation r\n@attribute x real\n@attribute c {0.5,1.5}\n@data\n1,0.5\n2,1.5\n";
  EXPECT_TRUE(check_class_names(load(file_of("r.arff", declared)).value()).ok());
  const std::string as_arff = file_of("r.data", declared) + ":format=arff";
  EXPECT_TRUE(check_class_names(load(as_arff).value()).ok());
}

TEST(DataTable, NamesColumnsThatAreNotThere) {
  const std::string path = file_of("shop.csv", kShop);
  for (const char* keys : {":ignore=idd", ":costs=price|boght"}) {
    const Result<DataTable> data = load(path + keys);
    ASSERT_TRUE(data.ok());
    EXPECT_FALSE(roles_of_columns(data.value().table, data.value().config).ok()) << keys;
  }
}

}  // namespace
}  // namespace handrail
