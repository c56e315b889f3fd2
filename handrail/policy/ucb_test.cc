#include "handrail/policy/ucb.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/agent/agent.h"

namespace handrail {
namespace {

const std::vector<double> kShared = {1.0};

Proposal propose(const Policy& policy) {
  const Round round = Round::make(ArmFeatures::block(kShared, 3), {.arm = 0, .cost = 0.5}).value();
  Proposal proposal;
  policy.propose(round, {}, RandomStream(1, Purpose::kPolicy, 1), proposal);
  return proposal;
}

void teach(Policy& policy, ArmIndex arm, double cost, int times) {
  for (int i = 0; i < times; ++i) {
    policy.learn({.features = {.features = kShared, .block = arm}, .arm = arm, .cost = cost});
  }
}

TEST(Ucb, PlaysArmsThatItKnowsNothingOfFirst) {
  const auto policy = make_ucb({.arm_count = 3});
  Proposal proposal = propose(*policy);
  EXPECT_EQ(proposal.costs, (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(proposal.indices, (std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_EQ(proposal.distribution[0], 1.0);
  EXPECT_FALSE(proposal.gamma.has_value());
  teach(*policy, 0, 1.0, 100);  // 1 − √(ψ(100)/100) > 0
  proposal = propose(*policy);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_EQ(proposal.costs, (std::vector<double>{1.0, 0.5, 0.5}));
}

// K = 3, δ = 0.05, second form, by hand: ζ = 60, log ζ = 4.094345; log 4.094345 = 1.409607,
// log(2e²·60) = 6.787492, 60·5.094345/(59·4.094345) = 1.265328; ψ(100) = 1.409607 + 6.787492 +
// 1.265328·log log 101 = 1.409607 + 6.787492 + 1.265328·1.529338 = 10.132213, so D(100) = 0.318311;
// ψ(400) = 1.409607 + 6.787492 + 1.265328·1.790753 = 10.462988, so D(400) = 0.161733.
TEST(Ucb, PlaysTheLeastLowerCost) {
  const auto policy = make_ucb({.arm_count = 3});
  teach(*policy, 0, 0.4, 400);
  teach(*policy, 1, 0.5, 100);
  teach(*policy, 2, 0.9, 100);
  const Proposal proposal = propose(*policy);
  EXPECT_NEAR(proposal.indices[0], 0.4 - 0.161733, 1e-5);
  EXPECT_NEAR(proposal.indices[1], 0.5 - 0.318311, 1e-5);
  EXPECT_NEAR(proposal.indices[2], 0.9 - 0.318311, 1e-5);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_NEAR(proposal.costs[0], 0.4, 1e-12);
}

TEST(Ucb, SavesAndLoadsItsPlaysAndRefusesCostsThatCannotBe) {
  const auto policy = make_ucb({.arm_count = 3});
  teach(*policy, 0, 0.3, 50);
  teach(*policy, 2, 0.7, 80);
  ByteWriter out;
  policy->save(out);
  const auto loaded = make_ucb({.arm_count = 3});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded->load(in).ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(propose(*loaded).indices, propose(*policy).indices);

  ByteWriter broken;
  broken.u64(2);
  broken.f64(2.5);
  for (int i = 0; i < 4; ++i) broken.u64(0);
  ByteReader reader(broken.bytes());
  EXPECT_FALSE(loaded->load(reader).ok());
  EXPECT_EQ(propose(*loaded).indices, propose(*policy).indices);
}

TEST(Ucb, RefusesArmsThatChangeFromRoundToRound) {
  const Result<Agent> agent =
      Agent::make({.agent = "ucb",
                   .layout = {.shape = FeatureShape::kRows, .feature_count = 2, .block_count = 1}});
  ASSERT_FALSE(agent.ok());
  EXPECT_EQ(agent.error().message,
            "policy=ucb needs arms that are the same in every round: block features, not rows of "
            "2 features");
}

}  // namespace
}  // namespace handrail
