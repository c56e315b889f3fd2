#include "handrail/data/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "handrail/base/random.h"

namespace handrail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Table table_of(std::vector<Column> columns, const std::vector<std::vector<double>>& rows) {
  Table table(std::move(columns));
  for (const std::vector<double>& row : rows) table.add_row(row);
  return table;
}

std::vector<double> encoded(const Table& table, std::size_t row, const EncodingConfig& config) {
  std::vector<std::size_t> columns(table.column_count());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const Result<Encoder> encoder = Encoder::make(table, columns, config);
  EXPECT_TRUE(encoder.ok());
  std::vector<double> features(encoder.value().feature_count());
  encoder.value().encode(table.row(row), features);
  return features;
}

constexpr EncodingConfig kBare = {.scaling = Scaling::kNone,
                                  .indicators = false,
                                  .missing = false,
                                  .constant = false,
                                  .unit_norm = false};

EncodingConfig bare_but(Scaling scaling) {
  EncodingConfig config = kBare;
  config.scaling = scaling;
  return config;
}

Table numbers() {
  return table_of({{.name = "a"}, {.name = "b"}}, {{1, 5}, {3, 5}, {kMissing, 5}, {5, 5}});
}

TEST(Encoding, EveryStepCanBeSwitchedOff) {
  EXPECT_EQ(encoded(numbers(), 1, kBare), (std::vector<double>{3, 5}));
}

TEST(Encoding, StandardScalingGivesMeanZeroAndVarianceOne) {
  const EncodingConfig config = bare_but(Scaling::kStandard);
  const double deviation = std::sqrt(8.0 / 3.0);  // of 1, 3, 5
  EXPECT_DOUBLE_EQ(encoded(numbers(), 0, config)[0], -2.0 / deviation);
  EXPECT_DOUBLE_EQ(encoded(numbers(), 3, config)[0], 2.0 / deviation);
  EXPECT_EQ(encoded(numbers(), 2, config)[0], 0.0);  // a missing cell is the mean
}

TEST(Encoding, MinmaxScalingGivesZeroToOne) {
  const EncodingConfig config = bare_but(Scaling::kMinmax);
  EXPECT_EQ(encoded(numbers(), 0, config)[0], 0.0);
  EXPECT_EQ(encoded(numbers(), 2, config)[0], 0.5);
  EXPECT_EQ(encoded(numbers(), 3, config)[0], 1.0);
}

TEST(Encoding, AConstantColumnBecomesZeroWhenScaled) {
  EXPECT_EQ(encoded(numbers(), 0, bare_but(Scaling::kStandard))[1], 0.0);
  EXPECT_EQ(encoded(numbers(), 0, bare_but(Scaling::kMinmax))[1], 0.0);
  EXPECT_EQ(encoded(numbers(), 0, kBare)[1], 5.0);
  const std::vector<std::size_t> both = {0, 1};
  EXPECT_EQ(Encoder::make(numbers(), both, {}).value().constant_column_count(), 1u);
}

TEST(Encoding, OnlyColumnsWithMissingCellsGetAnIndicator) {
  EncodingConfig config = kBare;
  config.missing = true;
  EXPECT_EQ(encoded(numbers(), 0, config), (std::vector<double>{1, 0, 5}));
  EXPECT_EQ(encoded(numbers(), 2, config), (std::vector<double>{3, 1, 5}));
}

TEST(Encoding, NominalColumnsBecomeIndicatorsAndMissingOnesNone) {
  const Table table = table_of(
      {{.name = "c", .kind = ColumnKind::kNominal, .values = {"x", "y", "z"}}, {.name = "n"}},
      {{2, 7}, {kMissing, 7}});
  EncodingConfig config = kBare;
  EXPECT_EQ(encoded(table, 0, config), (std::vector<double>{2, 7}));
  config.indicators = true;  // numbers come first
  EXPECT_EQ(encoded(table, 0, config), (std::vector<double>{7, 0, 0, 1}));
  EXPECT_EQ(encoded(table, 1, config), (std::vector<double>{7, 0, 0, 0}));
}

TEST(Encoding, TheConstantComesLastAndBeforeTheNorm) {
  EncodingConfig config = kBare;
  config.constant = true;
  EXPECT_EQ(encoded(numbers(), 0, config), (std::vector<double>{1, 5, 1}));
  config.unit_norm = true;
  const std::vector<double> features = encoded(numbers(), 0, config);
  EXPECT_NEAR(features[2], 1.0 / std::sqrt(27.0), 1e-15);
}

TEST(Encoding, RowsHaveNormOneOrZero) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream stream(seed, Purpose::kTest, 0);
    const double scale = std::pow(10.0, 600.0 * stream.uniform() - 300.0);
    Table table({{.name = "a"}, {.name = "b"}, {.name = "c"}});
    for (int i = 0; i < 4; ++i) {
      table.add_row(std::vector<double>{scale * stream.normal(), stream.normal(),
                                        stream.uniform() < 0.3 ? kMissing : stream.normal()});
    }
    table.add_row(std::vector<double>{0.0, 0.0, 0.0});
    EncodingConfig config = kBare;
    config.unit_norm = true;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      double squares = 0.0;
      for (const double x : encoded(table, row, config)) squares += x * x;
      EXPECT_NEAR(squares, row == 4 ? 0.0 : 1.0, 1e-14) << "seed " << seed << ", row " << row;
    }
  }
}

TEST(Encoding, RefusesWhatCannotBeScaledAndNoFeatures) {
  const Table wide = table_of({{.name = "w"}}, {{-1.7e308}, {1.7e308}});
  const std::vector<std::size_t> all = {0};
  const Result<Encoder> refused = Encoder::make(wide, all, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("column 'w' reaches from"), std::string::npos);
  EXPECT_FALSE(Encoder::make(wide, {}, kBare).ok());
}

TEST(Encoding, AColumnThatIsAlwaysMissingIsHarmless) {
  const Table table = table_of({{.name = "m"}}, {{kMissing}, {kMissing}});
  EXPECT_EQ(encoded(table, 0, {.unit_norm = false}), (std::vector<double>{0, 1, 1}));
}

}  // namespace
}  // namespace handrail
