#include "handrail/core/round.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace handrail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(std::vector<double> values, Baseline baseline) {
  const Result<Round> made = Round::make(ArmFeatures::rows(values, 2), baseline);
  return made.ok() ? "accepted" : made.error().message;
}

TEST(Round, KeepsWhatItWasMadeOf) {
  const std::vector<double> values = {1, 2, 3, 4};
  const Result<Round> made = Round::make(ArmFeatures::rows(values, 2), {.arm = 1, .cost = 0.5});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().arm_count(), 2u);
  EXPECT_EQ(made.value().baseline().arm, 1u);
  EXPECT_EQ(made.value().baseline().cost, 0.5);
}

TEST(Round, AcceptsTheEdges) {
  EXPECT_EQ(refusal({1, 2}, {.arm = 0, .cost = 0.0}), "accepted");
  EXPECT_EQ(refusal({1, 2}, {.arm = 0, .cost = 1.0}), "accepted");
}

TEST(Round, RefusesOneBadFeatureInAnyPlace) {
  for (std::size_t size = 1; size <= 19; ++size) {
    std::vector<double> row(size, -1e308);
    EXPECT_TRUE(Round::make(ArmFeatures::block(row, 3), {}).ok());
    for (std::size_t bad = 0; bad < size; ++bad) {
      for (const double value : {kNan, kInfinity, -kInfinity}) {
        row.assign(size, 1e308);
        row[bad] = value;
        const Result<Round> made = Round::make(ArmFeatures::block(row, 3), {});
        ASSERT_FALSE(made.ok());
        EXPECT_TRUE(made.error().message.starts_with("feature " + std::to_string(bad) + " is "));
      }
    }
  }
}

TEST(Round, RefusesWithASentence) {
  EXPECT_EQ(refusal({}, {}), "a round has 0 arms; at least 1 was expected");
  EXPECT_EQ(refusal({1, 2, 3, kNan}, {}), "arm 1, feature 1 is nan; a finite number was expected");
  EXPECT_EQ(refusal({-kInfinity, 2}, {}), "arm 0, feature 0 is -inf; a finite number was expected");
  EXPECT_EQ(refusal({1, 2}, {.arm = 1, .cost = 0.5}),
            "the baseline arm is 1; with 1 arms, counted from 0, it must be below that");
  EXPECT_EQ(refusal({1, 2}, {.arm = 0, .cost = -0.1}),
            "the baseline cost is -0.1; a number in [0, 1] was expected");
  EXPECT_EQ(refusal({1, 2}, {.arm = 0, .cost = 1.5}),
            "the baseline cost is 1.5; a number in [0, 1] was expected");
  EXPECT_EQ(refusal({1, 2}, {.arm = 0, .cost = kNan}),
            "the baseline cost is nan; a number in [0, 1] was expected");
}

TEST(Round, RefusesNumbersThatAreNoRows) {
  const std::vector<double> values = {1, 2, 3, 4};
  const auto message = [](const ArmFeatures& features) {
    return Round::make(features, {}).error().message;
  };
  EXPECT_EQ(message(ArmFeatures::rows(values, 3)), "4 numbers do not divide into rows of 3");
  EXPECT_EQ(message(ArmFeatures::rows(values, 0)),
            "an arm has 0 features; at least 1 was expected");
  EXPECT_EQ(message(ArmFeatures::block({}, 3)), "an arm has 0 features; at least 1 was expected");
}

TEST(Round, LooksAtTheTablesOfAProduct) {
  const std::vector<double> values = {1, 2, 3, 4, 5, kNan, 7, 8};
  const auto message = [&](std::size_t count, const std::vector<Factor>& factors) {
    const Result<Round> made =
        Round::make(ArmFeatures::product(std::span(values).first(count), factors), {});
    return made.ok() ? "accepted" : made.error().message;
  };
  EXPECT_EQ(message(5, {{2, 2}, {1, 1}}), "accepted");
  EXPECT_EQ(message(8, {{2, 1}, {3, 2}}),
            "factor 1, choice 1, feature 1 is nan; a finite number was expected");
  EXPECT_EQ(message(5, {{2, 2}, {2, 1}}),
            "the numbers end within factor 1, which has 2 choices of 1 features");
  EXPECT_EQ(message(5, {{2, 2}}), "1 of 5 numbers are beyond the last factor");
  EXPECT_EQ(message(4, {{2, 2}, {0, 1}}), "a round has 0 arms; at least 1 was expected");
  EXPECT_EQ(message(0, {}), "an arm has 0 features; at least 1 was expected");
  EXPECT_EQ(message(5, {{5, 1}, {std::size_t{1} << 40, 0}, {std::size_t{1} << 40, 0}}),
            "a round has 18446744073709551615 arms; at most 2^32 - 1 fit");
  EXPECT_EQ(message(4, {{2, std::numeric_limits<std::size_t>::max()}}),
            "the numbers end within factor 0, which has 2 choices of 18446744073709551615 "
            "features");
}

TEST(Round, NamesTheFeatureOfASharedRow) {
  const std::vector<double> row = {1, kInfinity};
  const Result<Round> made = Round::make(ArmFeatures::block(row, 4), {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().message, "feature 1 is inf; a finite number was expected");
}

TEST(Round, LooksAtARowThatCameAsAList) {
  SparseRow list;
  EXPECT_EQ(Round::make(ArmFeatures::sparse_block(list, 4), {}).error().message,
            "an arm has 0 features; at least 1 was expected");
  for (std::uint32_t bad = 0; bad < 19; ++bad) {
    const std::vector<std::uint32_t> places = {bad, bad + 9};
    ASSERT_TRUE(list.assign(50, places, std::vector<double>{1e308, -1e308}).ok());
    const Result<Round> good = Round::make(ArmFeatures::sparse_block(list, 4), {.arm = 3});
    ASSERT_TRUE(good.ok());
    EXPECT_EQ(
        good.value().features().layout(),
        (FeatureLayout{.shape = FeatureShape::kBlock, .feature_count = 50, .block_count = 4}));
    EXPECT_FALSE(Round::make(ArmFeatures::sparse_block(list, 4), {.arm = 4}).ok());
    for (const double value : {kNan, kInfinity, -kInfinity}) {
      ASSERT_TRUE(list.assign(50, places, std::vector<double>{1.0, value}).ok());
      const Result<Round> made = Round::make(ArmFeatures::sparse_block(list, 4), {});
      ASSERT_FALSE(made.ok());
      EXPECT_TRUE(made.error().message.starts_with("feature " + std::to_string(bad + 9) + " is "));
    }
  }
}

TEST(BaselineKnown, IsAWordAndBack) {
  EXPECT_EQ(to_text(BaselineKnown::kUnknown), "unknown");
  for (const std::string_view word : kBaselineKnownWords) {
    EXPECT_EQ(to_text(to_baseline_known(word).value()), word);
  }
  EXPECT_FALSE(to_baseline_known("means").has_value());
}

}  // namespace
}  // namespace handrail
