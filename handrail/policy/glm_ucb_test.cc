#include "handrail/policy/glm_ucb.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

const std::vector<double> kOne = {1.0};

Proposal proposed(const Policy& policy, const ArmFeatures& features) {
  Proposal out;
  policy.propose(Round::make(features, {}).value(), {}, RandomStream(1, Purpose::kPolicy, 1), out);
  return out;
}

// Arm 0 cost 1 once: θ̂ = 0.40105813754154696 solves θ + σ(θ) − 1 = 0, so that σ(θ̂) = 1 − θ̂, and
// V = 2. Of arm 1 nothing is known: σ = 1/2, V = 1.
TEST(GlmUcb, FollowsAHandComputedCase) {
  const auto policy = make_glm_ucb({.bonus = 0.3}, {FeatureShape::kBlock, 1, 2});
  const ArmFeatures features = ArmFeatures::block(kOne, 2);
  policy->learn({.features = features.arm(0), .cost = 1.0});
  const Proposal proposal = proposed(*policy, features);
  EXPECT_NEAR(proposal.costs[0], 1.0 - 0.40105813754154696, 1e-12);
  EXPECT_EQ(proposal.costs[1], 0.5);
  EXPECT_NEAR(proposal.indices[0], proposal.costs[0] - 0.3 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(proposal.indices[1], 0.5 - 0.3, 1e-12);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_EQ(proposal.chances, Chances::kExact);
  EXPECT_FALSE(proposal.gamma.has_value());
  EXPECT_FALSE(policy->regret_bound().has_value());
}

TEST(GlmUcb, LearnsWhichRowsAreCheap) {
  const auto policy = make_glm_ucb({}, {FeatureShape::kRows, 2, 1});
  const std::vector<double> values = {0.6, 0.8, -0.6, 0.8};
  const ArmFeatures features = ArmFeatures::rows(values, 2);
  for (int t = 0; t < 20; ++t) {
    policy->learn({.features = features.arm(0), .cost = 1.0});
    policy->learn({.features = features.arm(1), .cost = 0.0});
  }
  const Proposal proposal = proposed(*policy, features);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_GT(proposal.costs[0], 0.8);
  EXPECT_LT(proposal.costs[1], 0.2);
}

TEST(GlmUcb, GoesOnAfterLoading) {
  RandomStream stream(1, Purpose::kTest, 75);
  const FeatureLayout layout = {FeatureShape::kBlock, 3, 2};
  const auto policy = make_glm_ucb({}, layout);
  for (std::size_t t = 0; t < 9; ++t) {
    policy->learn({.features = {.features = random_row(stream, 3), .block = t % 2},
                   .cost = stream.uniform()});
  }
  ByteWriter out;
  policy->save(out);
  const auto copy = make_glm_ucb({}, layout);
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy->load(in).ok());
  ASSERT_TRUE(in.at_end());
  const std::vector<double> row = random_row(stream, 3);
  for (Policy* one : {policy.get(), copy.get()}) {
    one->learn({.features = {.features = row}, .cost = 0.1});
  }
  const ArmFeatures features = ArmFeatures::block(row, 2);
  EXPECT_EQ(proposed(*copy, features).indices, proposed(*policy, features).indices);
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(copy->load(cut).ok());
  EXPECT_EQ(proposed(*copy, features).indices, proposed(*policy, features).indices);
}

TEST(GlmUcb, ProposesAmongExtremeFeatures) {
  const std::vector<double> values = {0.5, 0.5, 1e300, -1e300};
  const auto policy = make_glm_ucb({}, {FeatureShape::kRows, 2, 1});
  policy->learn({.features = {.features = std::span(values).subspan(2, 2)}, .cost = 1.0});
  const Proposal proposal = proposed(*policy, ArmFeatures::rows(values, 2));
  EXPECT_EQ(proposal.costs, (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(proposal.distribution[0], 1.0);
}

}  // namespace
}  // namespace handrail
