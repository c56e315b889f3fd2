// The small policies: gap weighting, greedy and uniform, over an oracle that says what it is told
// to.
#include <gtest/gtest.h>

#include <algorithm>

#include "handrail/policy/greedy.h"
#include "handrail/policy/igw.h"
#include "handrail/policy/uniform.h"

namespace handrail {
namespace {

// Predicts fixed costs; remembers what it was taught.
class ScriptedOracle final : public Oracle {
 public:
  explicit ScriptedOracle(std::vector<double> costs) : costs_(std::move(costs)) {}

  void predict(const ArmFeatures& /*features*/, std::span<double> costs,
               Scratch& /*scratch*/) const override {
    std::copy(costs_.begin(), costs_.end(), costs.begin());
  }
  void update(const ArmView& arm, double cost) override { costs_[arm.block] = cost; }
  std::optional<double> regret_bound() const override { return 7.0; }
  void save(ByteWriter& out) const override { out.doubles(costs_); }
  Status load(ByteReader& in) override {
    in.doubles(costs_);
    return in.status();
  }

 private:
  std::vector<double> costs_;
};

std::unique_ptr<Oracle> scripted(std::vector<double> costs) {
  return std::make_unique<ScriptedOracle>(std::move(costs));
}

const std::vector<double> kShared = {1.0};

Round round_of_three() {
  return Round::make(ArmFeatures::block(kShared, 3), {.arm = 0, .cost = 0.5}).value();
}

Proposal propose(const Policy& policy, const History& history = {}) {
  Proposal proposal;
  policy.propose(round_of_three(), history, RandomStream(1, Purpose::kPolicy, 1), proposal);
  return proposal;
}

TEST(Igw, WeighsPredictionsWithTheScheduledGamma) {
  const auto policy = make_igw({}, scripted({.1, .3, .6}));
  const Proposal proposal = propose(*policy, {.explored = 0});
  EXPECT_EQ(proposal.gamma, 10.0);
  EXPECT_NEAR(proposal.distribution[0], 0.675, 1e-12);
  EXPECT_EQ(proposal.costs, (std::vector<double>{.1, .3, .6}));
  EXPECT_EQ(propose(*policy, {.explored = 99}).gamma, 100.0);
}

TEST(Igw, FloorsPredictionsForRelativeGapsAndShowsThemSo) {
  const auto policy = make_igw({.weighting = Weighting::kRelative}, scripted({0.0, .3, .6}));
  const Proposal proposal = propose(*policy);
  EXPECT_EQ(proposal.costs, (std::vector<double>{kRelativeCostFloor, .3, .6}));
  EXPECT_GT(proposal.distribution[2], 0.0);
}

TEST(Igw, KeepsAFloorUnderEveryArm) {
  const auto policy =
      make_igw({.gamma = {.kind = GammaKind::kConstant, .scale = 1e9}, .floor = 0.3},
               scripted({.1, .3, .6}));
  EXPECT_GE(propose(*policy).distribution[2], 0.1);
}

TEST(Igw, TeachesItsOracleAndHandsOnItsPromise) {
  const auto policy = make_igw({}, scripted({.1, .3, .6}));
  policy->learn({.features = {.features = kShared, .block = 2}, .cost = 0.9});
  EXPECT_EQ(propose(*policy).costs[2], 0.9);
  EXPECT_EQ(policy->regret_bound(), 7.0);
}

TEST(Greedy, PlaysTheLeastPredictedCost) {
  const auto policy = make_greedy(0.0, scripted({.3, .1, .1}));
  const Proposal proposal = propose(*policy);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_FALSE(proposal.gamma.has_value());
  policy->learn({.features = {.features = kShared, .block = 0}, .cost = 0.0});
  EXPECT_EQ(propose(*policy).distribution[0], 1.0);
  EXPECT_EQ(policy->regret_bound(), 7.0);
}

TEST(Greedy, SpreadsEpsilonOverAllArms) {
  const auto policy = make_greedy(0.3, scripted({.3, .1, .2}));
  const Proposal proposal = propose(*policy);
  EXPECT_DOUBLE_EQ(proposal.distribution[0], 0.1);
  EXPECT_DOUBLE_EQ(proposal.distribution[1], 0.8);
}

TEST(Uniform, PredictsNothingAndLearnsNothing) {
  const auto policy = make_uniform();
  policy->learn({.features = {.features = kShared}, .cost = 1.0});
  const Proposal proposal = propose(*policy);
  EXPECT_TRUE(proposal.costs.empty());
  EXPECT_FALSE(proposal.gamma.has_value());
  EXPECT_DOUBLE_EQ(proposal.distribution[2], 1.0 / 3.0);
  EXPECT_FALSE(policy->regret_bound().has_value());
}

TEST(Policies, SaveAndLoadTheirOracle) {
  for (const bool greedy : {false, true}) {
    const auto make = [&](std::vector<double> costs) {
      return greedy ? make_greedy(0.1, scripted(std::move(costs)))
                    : make_igw({}, scripted(std::move(costs)));
    };
    const auto policy = make({.1, .3, .6});
    ByteWriter out;
    policy->save(out);
    const auto loaded = make({.9, .9, .9});
    ByteReader in(out.bytes());
    ASSERT_TRUE(loaded->load(in).ok());
    EXPECT_EQ(propose(*loaded).costs, propose(*policy).costs);
  }
}

}  // namespace
}  // namespace handrail
