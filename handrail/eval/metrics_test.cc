#include "handrail/eval/metrics.h"

#include <gtest/gtest.h>

#include <vector>

namespace handrail {
namespace {

PlayedRound explored(double expected_cost) {
  return {.choice = Choice::kExplore,
          .baseline_cost = 0.5,
          .expected_cost = expected_cost,
          .best_cost = 0.0};
}

Metrics run_of(const std::vector<double>& charged, double reserve) {
  Metrics metrics(0.1, reserve);
  for (const double cost : charged) metrics.add(explored(cost));
  return metrics;
}

std::string bytes_of(const Metrics& metrics) {
  ByteWriter out;
  metrics.save(out);
  return std::string(out.bytes());
}

TEST(Metrics, CountViolationsRoundByRound) {
  const Metrics metrics = run_of({0.5, 0.5, 1.0, 0.0, 0.5, 0.5}, 0.0);
  EXPECT_EQ(metrics.rounds(), 6u);
  EXPECT_EQ(metrics.promised().violated_rounds(), 1u);
  EXPECT_EQ(metrics.promised().first_violation(), 3u);
  EXPECT_NEAR(metrics.promised().largest_excess(), 0.35, 1e-15);
}

TEST(Metrics, ReserveIsPartOfTheLimit) {
  const Metrics metrics = run_of({0.5, 0.5, 1.0, 0.0, 0.5, 0.5}, 0.35);
  EXPECT_EQ(metrics.promised().violated_rounds(), 0u);
  EXPECT_FALSE(metrics.promised().first_violation().has_value());
  EXPECT_NEAR(metrics.promised().largest_excess(), 0.0, 1e-15);
  EXPECT_EQ(run_of({0.5, 0.5, 1.0}, 0.34).promised().first_violation(), 3u);
}

// Under a mean baseline cost the arm may cost more than the round said: the label is not held
// against whoever plays the baseline.
TEST(Metrics, ChargeABaselineRoundWhatTheBaselineIsSaidToCost) {
  Metrics metrics(0.1, 0.0);
  metrics.add(
      {.choice = Choice::kBaseline, .baseline_cost = 0.4, .expected_cost = 1.0, .best_cost = 0.25});
  EXPECT_EQ(metrics.promised().charged_sum(), 0.4);
  EXPECT_EQ(metrics.promised().baseline_cost_sum(), 0.4);
  EXPECT_EQ(metrics.cost_sum(), 1.0);
  EXPECT_EQ(metrics.regret(), 0.75);
  EXPECT_EQ(metrics.promised().violated_rounds(), 0u);
  metrics.add(
      {.choice = Choice::kExplore, .baseline_cost = 0.4, .expected_cost = 1.0, .best_cost = 0.25});
  EXPECT_EQ(metrics.promised().charged_sum(), 1.4);
  EXPECT_EQ(metrics.explored(), 1u);
  EXPECT_EQ(metrics.baseline_played(), 1u);
  EXPECT_EQ(metrics.promised().first_violation(), 2u);
}

// In hindsight the label's cost stands on both sides, whatever the round said.
TEST(Metrics, HindsightComparesExpectedCosts) {
  Metrics metrics(0.1, 0.0);
  metrics.add({.choice = Choice::kExplore,
               .baseline_cost = 0.9,
               .expected_cost = 0.5,
               .best_cost = 0.0,
               .baseline_expected_cost = 0.01});
  EXPECT_FALSE(metrics.promised().violated());
  EXPECT_TRUE(metrics.hindsight().violated());
  EXPECT_EQ(metrics.hindsight().charged_sum(), 0.5);
  EXPECT_EQ(metrics.hindsight().baseline_cost_sum(), 0.01);
  metrics.add({.choice = Choice::kBaseline,
               .baseline_cost = 0.9,
               .expected_cost = 1.0,
               .best_cost = 0.0,
               .baseline_expected_cost = 1.0});
  EXPECT_EQ(metrics.hindsight().charged_sum(), 1.5);
  EXPECT_EQ(metrics.hindsight().violated_rounds(), 2u);
}

// 0.1 has no exact double: 10^5 sums of it drift apart from their limit by rounding alone.
TEST(Metrics, RoundingConvictsNobodyOnTheConstraint) {
  Metrics metrics(0.1, 0.0);
  for (int i = 0; i < 100'000; ++i) {
    metrics.add({.choice = Choice::kExplore,
                 .baseline_cost = 0.1,
                 .expected_cost = 0.11,
                 .best_cost = 0.0});
  }
  EXPECT_NE(metrics.promised().largest_excess(), 0.0);
  EXPECT_EQ(metrics.promised().violated_rounds(), 0u);
}

TEST(Metrics, LoadGivesTheSameBitsAndGoesOn) {
  Metrics whole = run_of({0.5, 0.5, 1.0, 0.1}, 0.0);
  Metrics loaded(0.1, 0.0);
  const std::string bytes = bytes_of(whole);
  ByteReader in(bytes);
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  whole.add(explored(0.3));
  loaded.add(explored(0.3));
  EXPECT_EQ(bytes_of(loaded), bytes_of(whole));
}

TEST(Metrics, LoadRefusesOtherConstraintsAndBrokenBytes) {
  const std::string bytes = bytes_of(run_of({0.5, 1.0}, 0.0));
  Metrics other(0.2, 0.0);
  ByteReader in(bytes);
  EXPECT_EQ(other.load(in).error().message, "byte 48: holds metrics of another alpha or reserve");
  Metrics same(0.1, 0.0);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    ByteReader part(std::string_view(bytes).substr(0, cut));
    EXPECT_FALSE(same.load(part).ok());
  }
  std::string impossible = bytes;
  impossible[65] = 9;  // more violated rounds than rounds
  ByteReader broken(impossible);
  EXPECT_EQ(same.load(broken).error().message, "byte 89: holds metrics that no run can have");
  EXPECT_EQ(same.rounds(), 0u);  // nothing was half loaded
}

}  // namespace
}  // namespace handrail
