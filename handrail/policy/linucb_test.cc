#include "handrail/policy/linucb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

void propose(const Policy& policy, const ArmFeatures& features, Proposal& out) {
  const Result<Round> round = Round::make(features, {});
  ASSERT_TRUE(round.ok());
  policy.propose(round.value(), {}, RandomStream(1, Purpose::kPolicy, 1), out);
}

Proposal proposed(const Policy& policy, const ArmFeatures& features) {
  Proposal out;
  propose(policy, features, out);
  return out;
}

void expect_certain(const Proposal& proposal, ArmIndex arm) {
  EXPECT_EQ(proposal.distribution[arm], 1.0);
  EXPECT_EQ(proposal.distribution.greedy_arm(), arm);
  EXPECT_FALSE(proposal.gamma.has_value());
}

TEST(LinUcb, TiesGoToTheLowestArm) {
  const auto policy = make_linucb({}, {FeatureShape::kBlock, 2, 3});
  const std::vector<double> row = {0.6, 0.8};
  const Proposal proposal = proposed(*policy, ArmFeatures::block(row, 3));
  expect_certain(proposal, 0);
  EXPECT_EQ(proposal.costs, (std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_FALSE(policy->regret_bound().has_value());
}

TEST(LinUcb, TriesWhatItKnowsLeastAndThenWhatIsCheapest) {
  const auto policy = make_linucb({}, {FeatureShape::kBlock, 1, 2});
  const std::vector<double> row = {1.0};
  const ArmFeatures features = ArmFeatures::block(row, 2);
  policy->learn({.features = features.arm(0), .choice = Choice::kExplore, .cost = 0.0});
  expect_certain(proposed(*policy, features), 1);  // its cost could be far below 0
  for (int t = 0; t < 100; ++t) {
    policy->learn({.features = features.arm(0), .choice = Choice::kExplore, .cost = 0.1});
    policy->learn({.features = features.arm(1), .choice = Choice::kExplore, .cost = 0.9});
  }
  expect_certain(proposed(*policy, features), 0);
}

// Which rounds to learn from is the agent's to say.
TEST(LinUcb, LearnsFromEveryObservationItIsGiven) {
  const std::vector<double> row = {0.6, 0.8};
  const ArmFeatures features = ArmFeatures::block(row, 2);
  const auto explored = make_linucb({}, features.layout());
  const auto baseline = make_linucb({}, features.layout());
  explored->learn({.features = features.arm(1), .choice = Choice::kExplore, .cost = 0.7});
  baseline->learn({.features = features.arm(1), .choice = Choice::kBaseline, .cost = 0.7});
  EXPECT_EQ(proposed(*explored, features).costs, proposed(*baseline, features).costs);
  EXPECT_GT(proposed(*explored, features).costs[1], 0.0);
}

// The index of every arm from the dense model. Where two arms are nearly even, either will do.
TEST(LinUcb, PlaysTheLeastIndexOfTheDenseModel) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 40);
    const bool block = seed % 2 == 0;
    const std::optional<double> scale = seed % 4 < 2 ? std::nullopt : std::optional(0.3);
    const FeatureLayout layout = {block ? FeatureShape::kBlock : FeatureShape::kRows, 3,
                                  block ? std::size_t{4} : std::size_t{1}};
    const auto policy =
        make_linucb({.ellipsoid = {.lambda = 0.5, .delta = 0.1}, .bonus_scale = scale}, layout);
    DenseRidge dense = {.lambda = 0.5, .size = 3 * layout.block_count};
    for (int t = 0; t < 40; ++t) {
      std::vector<double> values;
      for (int row = 0; row < (block ? 1 : 4); ++row) {
        const std::vector<double> next = random_row(stream, 3);
        values.insert(values.end(), next.begin(), next.end());
      }
      const ArmFeatures features =
          block ? ArmFeatures::block(values, 4) : ArmFeatures::rows(values, 3);
      const Proposal proposal = proposed(*policy, features);
      const std::vector<double> theta = dense.theta();
      const double beta = 0.5 * std::sqrt(dense.log_det() + 2.0 * std::log(10.0)) +
                          std::sqrt(0.5) * (block ? 2.0 : 1.0);
      std::vector<double> indices;
      for (ArmIndex arm = 0; arm < 4; ++arm) {
        const std::vector<double> phi = stacked(features.arm(arm), layout);
        indices.push_back(inner(phi, theta) -
                          scale.value_or(beta) * std::sqrt(dense.squared_norm(phi)));
        EXPECT_NEAR(proposal.costs[arm], std::clamp(inner(phi, theta), 0.0, 1.0), 1e-9);
      }
      const ArmIndex candidate = proposal.distribution.greedy_arm();
      EXPECT_LE(indices[candidate], *std::min_element(indices.begin(), indices.end()) + 1e-9);
      const double cost = stream.uniform();
      policy->learn(
          {.features = features.arm(candidate), .choice = Choice::kExplore, .cost = cost});
      dense.add(stacked(features.arm(candidate), layout), cost);
    }
  }
}

TEST(LinUcb, KeepsTheMemoryOfItsProposal) {
  const auto policy = make_linucb({}, {FeatureShape::kRows, 3, 1});
  RandomStream stream(1, Purpose::kTest, 41);
  std::vector<double> values;
  for (int row = 0; row < 5; ++row) {
    const std::vector<double> next = random_row(stream, 3);
    values.insert(values.end(), next.begin(), next.end());
  }
  Proposal proposal;
  propose(*policy, ArmFeatures::rows(values, 3), proposal);
  const double* const costs = proposal.costs.data();
  const double* const probabilities = proposal.distribution.probabilities().data();
  const double* const scratch = proposal.scratch.first.data();
  for (std::size_t arm_count = 5; arm_count > 0; --arm_count) {
    propose(*policy, ArmFeatures::rows(std::span(values).first(3 * arm_count), 3), proposal);
    EXPECT_EQ(proposal.costs.size(), arm_count);
    EXPECT_EQ(proposal.costs.data(), costs);
    EXPECT_EQ(proposal.distribution.probabilities().data(), probabilities);
    EXPECT_EQ(proposal.scratch.first.data(), scratch);
  }
}

TEST(LinUcb, GoesOnAfterLoading) {
  const std::vector<double> row = {0.6, 0.8};
  const ArmFeatures features = ArmFeatures::block(row, 3);
  const auto policy = make_linucb({}, features.layout());
  policy->learn({.features = features.arm(0), .choice = Choice::kExplore, .cost = 0.7});
  ByteWriter out;
  policy->save(out);
  const auto copy = make_linucb({}, features.layout());
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy->load(in).ok());
  EXPECT_EQ(proposed(*copy, features).costs, proposed(*policy, features).costs);
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(copy->load(cut).ok());
}

// Arms that no model can hold must not turn the index into NaN, with any bonus.
TEST(LinUcb, ProposesAmongExtremeFeatures) {
  const std::vector<double> values = {0.5, 0.5, 1e300, -1e300, 0.0, 0.0};
  for (const double scale : {0.0, 1.0}) {
    const auto policy = make_linucb({.bonus_scale = scale}, {FeatureShape::kRows, 2, 1});
    policy->learn({.features = {.features = std::span(values).subspan(2, 2)}, .cost = 1.0});
    const Proposal proposal = proposed(*policy, ArmFeatures::rows(values, 2));
    expect_certain(proposal, 0);
    EXPECT_EQ(proposal.costs, (std::vector<double>{0.0, 1.0, 0.0}));  // too long looks expensive
  }
}

}  // namespace
}  // namespace handrail
