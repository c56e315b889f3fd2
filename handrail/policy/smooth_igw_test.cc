#include "handrail/policy/smooth_igw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/curved_oracle.h"
#include "tests/product_fixture.h"

namespace handrail {
namespace {

Proposal propose(const Policy& policy, const Round& round, std::uint64_t sequence = 1) {
  Proposal proposal;
  policy.propose(round, {.explored = 3}, RandomStream(1, Purpose::kPolicy, sequence), proposal);
  return proposal;
}

const std::vector<Factor> kShape = {{2, 1}, {3, 2}, {1, 1}, {4, 1}};

// Two arms with costs 0.2 and 0.6 in blocks; by hand with γ = 10·√4 = 20: smooth keeps the dearer
// with 1/(1 + 20·0.4) = 1/9, igw with 2/(2 + 20·0.4) = 1/5.
class FixedOracle final : public Oracle {
 public:
  void predict(const ArmFeatures& /*features*/, std::span<double> costs,
               Scratch& /*scratch*/) const override {
    costs[0] = 0.6;
    costs[1] = 0.2;
  }
  void update(const ArmView& /*arm*/, double /*cost*/) override {}
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& /*out*/) const override {}
  Status load(ByteReader& /*in*/) override { return {}; }
};

TEST(SmoothIgw, KeepsTheDrawnArmWithTheChanceComputedByHand) {
  const std::vector<double> row = {1.0};
  const Round round = Round::make(ArmFeatures::block(row, 2), {.arm = 0, .cost = 0.5}).value();
  for (const auto& [acceptance, kept] :
       {std::pair(Acceptance::kSmooth, 1.0 / 9.0), std::pair(Acceptance::kIgw, 0.2)}) {
    const auto policy = make_smooth_igw({.acceptance = acceptance, .propensity_draws = 0},
                                        std::make_unique<FixedOracle>());
    bool saw[2] = {false, false};
    for (std::uint64_t sequence = 1; sequence <= 20; ++sequence) {
      const Proposal proposal = propose(*policy, round, sequence);
      const auto drawn = RandomStream(1, Purpose::kPolicy, sequence).below(2);
      saw[drawn] = true;
      EXPECT_EQ(proposal.gamma, 20.0);
      EXPECT_EQ(proposal.support, (std::vector<ArmIndex>{0, 1}));  // the baseline's always
      EXPECT_NEAR(proposal.distribution[0], drawn == 0 ? kept : 0.0, 1e-15);
      EXPECT_NEAR(proposal.distribution[1], drawn == 0 ? 1.0 - kept : 1.0, 1e-15);
      EXPECT_EQ(proposal.chances, Chances::kGiven);
      EXPECT_NEAR(*proposal.marginals[0].chance, kept / 2.0, 1e-15);
      EXPECT_FALSE(proposal.marginals[1].chance.has_value());
    }
    EXPECT_TRUE(saw[0] && saw[1]);
  }
}

// Relative gaps: κŷ/(κŷ + γ·gap) = 0.2/(0.2 + 20·0.4) = 1/41.
TEST(SmoothIgw, MeasuresRelativeGapsInUnitsOfTheLeastCost) {
  EXPECT_NEAR(keep_chance(Weighting::kRelative, 1.0, 20.0, 0.6, 0.2), 1.0 / 41.0, 1e-15);
  EXPECT_NEAR(keep_chance(Weighting::kRelative, 2.0, 20.0, 0.6, 0.2), 0.4 / 8.4, 1e-15);
  EXPECT_EQ(keep_chance(Weighting::kRelative, 3.0, 1e9, 0.2, 0.2), 1.0);
  EXPECT_EQ(keep_chance(Weighting::kAbsolute, 3.0, 1e9, 0.1, 0.2), 1.0);
}

// Summed over every draw, the distribution given the draw is that of gap weighting over all arms.
TEST(SmoothIgw, IsGapWeightingOverAllArms) {
  const SmallProduct product(kShape, 4);
  const std::vector<double> costs = all_costs(product);
  for (const Weighting weighting : {Weighting::kAbsolute, Weighting::kRelative}) {
    const Distribution expected = weigh(weighting, costs, 20.0, {});
    const auto policy = make_smooth_igw(
        {.weighting = weighting, .acceptance = Acceptance::kIgw, .propensity_draws = 0}, curved(5));
    std::vector<double> sums(24, 0.0);
    std::vector<int> seen(24, 0);
    for (std::uint64_t sequence = 1; sequence <= 2000; ++sequence) {
      const auto drawn = RandomStream(1, Purpose::kPolicy, sequence).below(24);
      if (seen[drawn]++ > 0) continue;
      const Proposal proposal = propose(*policy, product.round(9), sequence);
      for (std::size_t place = 0; place < proposal.support.size(); ++place) {
        const ArmIndex arm = proposal.support[place];
        EXPECT_EQ(proposal.costs[place], costs[arm]);
        sums[arm] += proposal.distribution.probabilities()[place] / 24.0;
        const bool greedy = arm == greedy_arm(costs);
        EXPECT_EQ(proposal.marginals[place].chance.has_value(), !greedy);
        if (greedy) continue;
        EXPECT_NEAR(*proposal.marginals[place].chance, expected[arm], 1e-15);
      }
    }
    for (ArmIndex arm = 0; arm < 24; ++arm) EXPECT_NEAR(sums[arm], expected[arm], 1e-14) << arm;
  }
}

// The mean of 2000 estimates of 64 draws each, and their spread. An estimate is in [0, 1], so the
// mean is within √(log(2e6)/4000) < 0.061 of the truth but for a chance of 1e-6; the error it
// states is on average that of the spread within 20 %, which is far more than chance explains.
TEST(SmoothIgw, EstimatesTheGreedyArmsChanceAndItsError) {
  const SmallProduct product(kShape, 4);
  const std::vector<double> costs = all_costs(product);
  const auto policy = make_smooth_igw({.acceptance = Acceptance::kIgw}, curved(5));
  const ArmIndex greedy = greedy_arm(costs);
  const double truth = weigh_absolute_gaps(costs, 20.0, {})[greedy];
  double sum = 0.0;
  double squares = 0.0;
  double stated = 0.0;
  for (std::uint64_t sequence = 1; sequence <= 2000; ++sequence) {
    const Proposal proposal = propose(*policy, product.round(), sequence);
    const KnownChance& marginal = proposal.marginals[place_of(proposal.support, greedy)];
    sum += *marginal.chance;
    squares += (*marginal.chance - truth) * (*marginal.chance - truth);
    stated += marginal.error * marginal.error;
  }
  EXPECT_NEAR(sum / 2000.0, truth, 0.061);
  EXPECT_NEAR(stated / squares, 1.0, 0.2);
}

// One call for each factor with a choice in the search, and two for the rest, however many arms
// there are: 10^3 or 10^6.
TEST(SmoothIgw, AsksItsOracleAsOftenWhateverTheNumberOfArms) {
  for (const std::size_t factor_count : {3u, 6u}) {
    Asked asked;
    std::vector<Factor> factors(factor_count, {10, 1});
    std::vector<double> values;
    RandomStream stream(1, Purpose::kTest, 701);
    for (std::size_t i = 0; i < 10 * factor_count; ++i) values.push_back(stream.normal());
    const Round round = Round::make(ArmFeatures::product(values, factors), {}).value();
    const auto policy = make_smooth_igw({.sweeps = 1}, curved(factor_count, 0.0, &asked));
    propose(*policy, round);
    EXPECT_EQ(asked.calls, factor_count + 2);
    EXPECT_LE(asked.rows, 10 * factor_count + 3 + 64);
  }
}

TEST(SmoothIgw, LearnsAndGoesOnAfterLoading) {
  const SmallProduct product(kShape, 4);
  const auto policy = make_smooth_igw({}, curved(5));
  const std::vector<double> before = propose(*policy, product.round()).costs;
  policy->learn({.features = {.features = std::span(product.rows).first(5)}, .cost = 0.9});
  const std::vector<double> after = propose(*policy, product.round()).costs;
  EXPECT_NE(before, after);
  ByteWriter out;
  policy->save(out);
  const auto copy = make_smooth_igw({}, curved(5));
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy->load(in).ok());
  EXPECT_EQ(propose(*copy, product.round()).costs, after);
}

}  // namespace
}  // namespace handrail
