#include "handrail/policy/lints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

constexpr FeatureLayout kTwoBlocks = {FeatureShape::kBlock, 1, 2};
constexpr FeatureLayout kRowsOfTwo = {FeatureShape::kRows, 2, 1};
const std::vector<double> kOne = {1.0};

// 10^5 draws: a frequency is further than √(log(2e6) / 2e5) from its probability with a chance of
// at most 1e-6 (Hoeffding).
constexpr int kDraws = 100'000;
const double kDeviation = std::sqrt(std::log(2e6) / (2.0 * kDraws));

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

void propose(const Policy& policy, const ArmFeatures& features, std::uint64_t sequence,
             Proposal& out) {
  const Result<Round> round = Round::make(features, {});
  ASSERT_TRUE(round.ok());
  policy.propose(round.value(), {}, RandomStream(7, Purpose::kPolicy, sequence), out);
}

Proposal proposed(const Policy& policy, const ArmFeatures& features, std::uint64_t sequence) {
  Proposal out;
  propose(policy, features, sequence, out);
  return out;
}

double frequency(const Policy& policy, const ArmFeatures& features, ArmIndex arm) {
  Proposal proposal;
  int count = 0;
  for (int i = 0; i < kDraws; ++i) {
    propose(policy, features, static_cast<std::uint64_t>(i), proposal);
    count += proposal.distribution[arm] == 1.0 ? 1 : 0;
  }
  return static_cast<double>(count) / kDraws;
}

// Arm 0 cost 0.5 once: V = 2, θ̂ = 1/4. Arm 1 cost 0.3 twice: V = 3, θ̂ = 1/5.
void teach_two_blocks(Policy& policy) {
  policy.learn({.features = {.features = kOne, .block = 0}, .cost = 0.5});
  policy.learn({.features = {.features = kOne, .block = 1}, .arm = 1, .cost = 0.3});
  policy.learn({.features = {.features = kOne, .block = 1}, .arm = 1, .cost = 0.3});
}

// That arm 0 is cheaper under N(1/4, v²/2) and N(1/5, v²/3).
double chance_of_the_first_of_two_blocks(double v) {
  return normal_cdf((0.2 - 0.25) / (v * std::sqrt(1.0 / 2.0 + 1.0 / 3.0)));
}

TEST(LinTs, PredictsTheEstimateAndShowsNoChanceOfOneDraw) {
  const auto policy = make_lints({.scale = 0.4}, kTwoBlocks);
  teach_two_blocks(*policy);
  const Proposal proposal = proposed(*policy, ArmFeatures::block(kOne, 2), 1);
  EXPECT_NEAR(proposal.costs[0], 0.25, 1e-15);
  EXPECT_NEAR(proposal.costs[1], 0.2, 1e-15);
  EXPECT_EQ(proposal.chances, Chances::kUnknown);
  EXPECT_FALSE(proposal.gamma.has_value());
  const ArmIndex cheapest = proposal.indices[0] <= proposal.indices[1] ? 0 : 1;
  EXPECT_EQ(proposal.distribution[cheapest], 1.0);
  EXPECT_FALSE(policy->regret_bound().has_value());
}

TEST(LinTs, WithAScaleOfZeroPlaysTheEstimate) {
  const auto policy = make_lints({.scale = 0.0}, kTwoBlocks);
  teach_two_blocks(*policy);
  EXPECT_EQ(frequency(*policy, ArmFeatures::block(kOne, 2), 1), 1.0);
}

TEST(LinTs, PlaysABlockAsOftenAsItIsCheapest) {
  for (const double v : {0.04, 0.4}) {
    const auto policy = make_lints({.scale = v}, kTwoBlocks);
    teach_two_blocks(*policy);
    EXPECT_NEAR(frequency(*policy, ArmFeatures::block(kOne, 2), 0),
                chance_of_the_first_of_two_blocks(v), kDeviation);
  }
}

struct TaughtRows {
  std::unique_ptr<Policy> policy;
  DenseRidge dense = {.lambda = 0.5, .size = 2};
};

TaughtRows teach_rows(const LinTsConfig& config) {
  TaughtRows taught;
  taught.policy = make_lints(config, kRowsOfTwo);
  RandomStream stream(3, Purpose::kTest, 61);
  for (int t = 0; t < 8; ++t) {
    const std::vector<double> row = random_row(stream, 2);
    const double cost = stream.uniform();
    taught.policy->learn({.features = {.features = row}, .cost = cost});
    taught.dense.add(row, cost);
  }
  return taught;
}

// Rows share θ~: arm 0 is cheaper iff (φ_0 − φ_1)ᵀθ~ < 0, which is one normal. With a draw of its
// own for each arm the variance would be another.
TEST(LinTs, PlaysARowAsOftenAsItIsCheapest) {
  const TaughtRows taught = teach_rows({.lambda = 0.5, .scale = 0.3});
  const std::vector<double> values = {1.0, 0.0, 0.6, 0.8};
  const std::vector<double> difference = {0.4, -0.8};
  const double mean = inner(difference, taught.dense.theta());
  const double expected =
      normal_cdf(-mean / (0.3 * std::sqrt(taught.dense.squared_norm(difference))));
  EXPECT_NEAR(frequency(*taught.policy, ArmFeatures::rows(values, 2), 0), expected, kDeviation);
}

// With the unit vectors as arms the indices are θ~ itself. 10^5 draws; six standard errors of each
// moment, which a normal exceeds with chance 2e-9.
TEST(LinTs, DrawsRowsWithTheCovarianceOfTheModel) {
  const TaughtRows taught = teach_rows({.lambda = 0.5, .scale = 0.3});
  const std::vector<double> units = {1.0, 0.0, 0.0, 1.0};
  const std::vector<double> theta = taught.dense.theta();
  const double v2 = 0.3 * 0.3;
  const double c00 = v2 * taught.dense.solve({1.0, 0.0}).first[0];
  const double c01 = v2 * taught.dense.solve({1.0, 0.0}).first[1];
  const double c11 = v2 * taught.dense.solve({0.0, 1.0}).first[1];
  double m0 = 0.0, m1 = 0.0, s00 = 0.0, s01 = 0.0, s11 = 0.0;
  Proposal proposal;
  for (int i = 0; i < kDraws; ++i) {
    propose(*taught.policy, ArmFeatures::rows(units, 2), static_cast<std::uint64_t>(i), proposal);
    const double x0 = proposal.indices[0] - theta[0];
    const double x1 = proposal.indices[1] - theta[1];
    m0 += x0 / kDraws;
    m1 += x1 / kDraws;
    s00 += x0 * x0 / kDraws;
    s01 += x0 * x1 / kDraws;
    s11 += x1 * x1 / kDraws;
  }
  const double n = kDraws;
  EXPECT_NEAR(m0, 0.0, 6.0 * std::sqrt(c00 / n));
  EXPECT_NEAR(m1, 0.0, 6.0 * std::sqrt(c11 / n));
  EXPECT_NEAR(s00, c00, 6.0 * c00 * std::sqrt(2.0 / n));
  EXPECT_NEAR(s11, c11, 6.0 * c11 * std::sqrt(2.0 / n));
  EXPECT_NEAR(s01, c01, 6.0 * std::sqrt((c00 * c11 + c01 * c01) / n));
}

// 2000 rounds of 50 draws: the mean of the proposed chances is that of 10^5 draws.
TEST(LinTs, ProposesTheFrequenciesOfSeveralDraws) {
  const auto policy = make_lints({.scale = 0.4, .draws = 50}, kTwoBlocks);
  teach_two_blocks(*policy);
  Proposal proposal;
  double mean = 0.0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    propose(*policy, ArmFeatures::block(kOne, 2), i, proposal);
    EXPECT_EQ(proposal.chances, Chances::kEstimated);
    EXPECT_TRUE(proposal.indices.empty());
    EXPECT_DOUBLE_EQ(proposal.distribution[0] + proposal.distribution[1], 1.0);
    const double count = 50.0 * proposal.distribution[0];
    EXPECT_NEAR(count, std::round(count), 1e-12);
    mean += proposal.distribution[0] / 2000.0;
  }
  EXPECT_NEAR(mean, chance_of_the_first_of_two_blocks(0.4), kDeviation);
}

// v = ½√(9·2·log(t/0.05)) with t = 1 before and t = 4 after three costs: the same normals, drawn
// with v = 1, tell it.
TEST(LinTs, TakesTheScaleOfTheTheory) {
  const auto theory = make_lints({.scale = std::nullopt}, kTwoBlocks);
  const auto unit = make_lints({.scale = 1.0}, kTwoBlocks);
  const ArmFeatures features = ArmFeatures::block(kOne, 2);
  const auto ratio = [&] {
    const Proposal first = proposed(*theory, features, 5);
    const Proposal second = proposed(*unit, features, 5);
    return (first.indices[0] - first.costs[0]) / (second.indices[0] - second.costs[0]);
  };
  EXPECT_NEAR(ratio(), 0.5 * std::sqrt(18.0 * std::log(20.0)), 1e-12);
  teach_two_blocks(*theory);
  teach_two_blocks(*unit);
  EXPECT_NEAR(ratio(), 0.5 * std::sqrt(18.0 * std::log(80.0)), 1e-12);
}

TEST(LinTs, DrawsTheSameFromTheSameStreamAndOthersFromOthers) {
  const TaughtRows taught = teach_rows({.lambda = 0.5, .scale = 0.3});
  const std::vector<double> units = {1.0, 0.0, 0.0, 1.0};
  const ArmFeatures features = ArmFeatures::rows(units, 2);
  EXPECT_EQ(proposed(*taught.policy, features, 1).indices,
            proposed(*taught.policy, features, 1).indices);
  EXPECT_NE(proposed(*taught.policy, features, 1).indices,
            proposed(*taught.policy, features, 2).indices);
}

TEST(LinTs, GoesOnAfterLoading) {
  for (const FeatureLayout& layout : {FeatureLayout{FeatureShape::kBlock, 2, 3}, kRowsOfTwo}) {
    const LinTsConfig config = {.scale = std::nullopt};
    const std::vector<double> row = {0.6, 0.8};
    const auto policy = make_lints(config, layout);
    policy->learn({.features = {.features = row}, .cost = 0.7});
    ByteWriter out;
    policy->save(out);
    const auto copy = make_lints(config, layout);
    ByteReader in(out.bytes());
    ASSERT_TRUE(copy->load(in).ok());
    ASSERT_TRUE(in.at_end());
    for (Policy* one : {policy.get(), copy.get()}) {
      one->learn({.features = {.features = row}, .cost = 0.1});
    }
    const ArmFeatures features = layout.shape == FeatureShape::kBlock ? ArmFeatures::block(row, 3)
                                                                      : ArmFeatures::rows(row, 2);
    EXPECT_EQ(proposed(*copy, features, 9).indices, proposed(*policy, features, 9).indices);
    ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
    EXPECT_FALSE(copy->load(cut).ok());
    EXPECT_EQ(proposed(*copy, features, 9).indices, proposed(*policy, features, 9).indices);
  }
}

TEST(LinTs, KeepsTheMemoryOfItsProposal) {
  for (const std::uint64_t draws : {std::uint64_t{1}, std::uint64_t{10}}) {
    const auto policy = make_lints({.draws = draws}, kRowsOfTwo);
    const std::vector<double> values = {0.6, 0.8, 1.0, 0.0, 0.0, 1.0};
    Proposal proposal;
    propose(*policy, ArmFeatures::rows(values, 2), 1, proposal);
    const double* const costs = proposal.costs.data();
    const double* const probabilities = proposal.distribution.probabilities().data();
    const double* const scratch = proposal.scratch.second.data();
    propose(*policy, ArmFeatures::rows(std::span(values).first(4), 2), 2, proposal);
    EXPECT_EQ(proposal.costs.data(), costs);
    EXPECT_EQ(proposal.distribution.probabilities().data(), probabilities);
    EXPECT_EQ(proposal.scratch.second.data(), scratch);
  }
}

// Arms that no model can hold look expensive under every draw.
TEST(LinTs, ProposesAmongExtremeFeatures) {
  const std::vector<double> values = {0.5, 0.5, 1e300, -1e300};
  const auto policy = make_lints({.scale = 0.01}, kRowsOfTwo);
  policy->learn({.features = {.features = std::span(values).subspan(2, 2)}, .cost = 1.0});
  const Proposal proposal = proposed(*policy, ArmFeatures::rows(values, 2), 1);
  EXPECT_EQ(proposal.indices[1], 1.0);
  EXPECT_EQ(proposal.distribution[0], 1.0);
}

}  // namespace
}  // namespace handrail
