#include "handrail/data/data_source.h"

#include <gtest/gtest.h>

#include <cmath>

#include "handrail/data/arff_reader.h"
#include "handrail/data/idx_reader.h"
#include "tests/table_fixture.h"

namespace handrail {
namespace {

constexpr std::string_view kHeader = "@relation r\n@attribute x numeric\n@attribute c ";

std::string arff(std::string_view name, std::string_view classes, std::string_view rows) {
  return file_of(name,
                 std::string(kHeader) + std::string(classes) + "\n@data\n" + std::string(rows));
}

TEST(DataSource, PutsFilesOneBehindTheOther) {
  const DataSource source{.paths = {arff("a.arff", "{red,blue}", "1,blue\n2,red\n"),
                                    arff("b.arff", "{green,red}", "3,green\n?,red\n5,?\n")}};
  const Result<Table> table = read_source(source);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table.value().columns()[1].values, (std::vector<std::string>{"red", "blue", "green"}));
  std::vector<double> numbers;
  std::vector<double> classes;
  for (std::size_t i = 0; i < table.value().row_count(); ++i) {
    numbers.push_back(table.value().row(i)[0]);
    classes.push_back(table.value().row(i)[1]);
  }
  ASSERT_EQ(numbers.size(), 5U);
  EXPECT_EQ(numbers[2], 3.0);
  EXPECT_TRUE(std::isnan(numbers[3]));
  EXPECT_EQ(numbers[4], 5.0);
  EXPECT_EQ(std::vector<double>(classes.begin(), classes.begin() + 4),
            (std::vector<double>{1.0, 0.0, 2.0, 0.0}));
  EXPECT_TRUE(std::isnan(classes[4]));
}

TEST(DataSource, RefusesFilesThatDoNotFitTogether) {
  const std::string first = arff("a.arff", "{red,blue}", "1,blue\n");
  const std::string narrow =
      file_of("narrow.arff", "@relation r\n@attribute x numeric\n@data\n1\n");
  const std::string renamed = file_of(
      "renamed.arff", "@relation r\n@attribute y numeric\n@attribute c {red}\n@data\n1,red\n");
  const std::string numeric = arff("numeric.arff", "numeric", "1,2\n");
  const auto refusal = [&first](const std::string& second) {
    const Result<Table> table = read_source({.paths = {first, second}});
    return table.ok() ? "no refusal" : table.error().message;
  };
  EXPECT_EQ(refusal(narrow), narrow + ": it has 1 columns, and the file before it 2");
  EXPECT_EQ(refusal(renamed), renamed +
                                  ": its column 1 'y' differs in name or kind from "
                                  "column 1 'x' of the file before it");
  EXPECT_EQ(refusal(numeric), numeric +
                                  ": its column 2 'c' differs in name or kind from "
                                  "column 2 'c' of the file before it");
  EXPECT_NE(refusal("/nonexistent/b.arff").find("/nonexistent/b.arff"), std::string::npos);
}

TEST(DataSource, AFormatThatIsAskedForGoesFirst) {
  const std::string path = arff("table.csv", "{red}", "1,red\n");
  EXPECT_TRUE(read_source({.paths = {path}, .format = &kArffFormat}).ok());
  EXPECT_TRUE(read_source({.paths = {path}, .format = &kIdxFormat}, {.format = &kArffFormat}).ok());
}

}  // namespace
}  // namespace handrail
