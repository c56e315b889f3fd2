#include "handrail/policy/spanner_igw.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/product_fixture.h"

namespace handrail {
namespace {

const std::vector<Factor> kShape = {{2, 1}, {3, 2}, {1, 1}, {4, 2}};  // 24 arms, 6 dimensions
constexpr std::size_t kDimension = 6;

Proposal propose(const Policy& policy, const Round& round) {
  Proposal proposal;
  policy.propose(round, {.explored = 24}, RandomStream(1, Purpose::kPolicy, 1), proposal);
  return proposal;
}

// p_a = 1/(1 + d + ι·gap) on the spanner with ι = 10·√25, and the rest on the greedy arm.
TEST(SpannerIgw, PlaysSpannerArmsByTheirGap) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const SmallProduct product(kShape, seed);
    const auto policy = make_spanner_igw({}, learned_layout(product.features().layout()));
    RandomStream stream(seed, Purpose::kTest, 704);
    for (int t = 0; t < 30; ++t) {
      const std::size_t arm = stream.below(24);
      policy->learn({.features = {.features = std::span(product.rows).subspan(6 * arm, 6)},
                     .cost = stream.uniform()});
    }
    const ArmIndex baseline = static_cast<ArmIndex>(stream.below(24));
    const Proposal proposal = propose(*policy, product.round(baseline));
    EXPECT_EQ(proposal.gamma, 50.0);
    EXPECT_EQ(proposal.chances, Chances::kExact);
    EXPECT_TRUE(is_in(proposal.support, baseline));
    EXPECT_LE(proposal.support.size(), kDimension + 2);
    EXPECT_TRUE(std::ranges::is_sorted(proposal.support));
    const std::span<const double> p = proposal.distribution.probabilities();
    const ArmIndex greedy = proposal.distribution.greedy_arm();
    std::size_t played = 0;
    for (std::size_t place = 0; place < p.size(); ++place) {
      if (place == greedy || p[place] == 0.0) continue;
      ++played;
      const double gap = std::max(0.0, proposal.costs[place] - proposal.costs[greedy]);
      EXPECT_NEAR(p[place], 1.0 / (7.0 + 50.0 * gap), 1e-15);
    }
    EXPECT_GE(played, kDimension - 1);
    EXPECT_GE(p[greedy], 1.0 / 7.0);
    EXPECT_EQ(proposal.costs[greedy], *std::ranges::min_element(proposal.costs));
    // The same of the same arms in rows.
    const Round rows = Round::make(product.all_rows(), {.arm = baseline, .cost = 0.5}).value();
    const Proposal same = propose(*policy, rows);
    ASSERT_EQ(same.support, proposal.support);
    for (ArmIndex place = 0; place < p.size(); ++place) {
      EXPECT_NEAR(same.distribution[place], p[place], 1e-12);
    }
  }
}

// Three arms in blocks, each a direction of its own. By hand: after one cost of 0.8 for arm 1 with
// λ = 1 and the feature 1, θ = (0, 0.4, 0): p_1 = 1/(1 + 3 + 50·0.4) = 1/24 and p_2 = 1/4.
TEST(SpannerIgw, TakesEveryArmOfABlock) {
  const std::vector<double> row = {1.0};
  const ArmFeatures features = ArmFeatures::block(row, 3);
  const auto policy = make_spanner_igw({}, features.layout());
  policy->learn({.features = features.arm(1), .cost = 0.8});
  const Proposal proposal = propose(*policy, Round::make(features, {.arm = 2}).value());
  EXPECT_EQ(proposal.support, (std::vector<ArmIndex>{0, 1, 2}));
  EXPECT_NEAR(proposal.costs[1], 0.4, 1e-15);
  EXPECT_NEAR(proposal.distribution[1], 1.0 / 24.0, 1e-15);
  EXPECT_NEAR(proposal.distribution[2], 0.25, 1e-15);
  EXPECT_EQ(proposal.distribution.greedy_arm(), 0u);
}

TEST(SpannerIgw, ProposesTheBaselineAmongExtremeFeatures) {
  const std::vector<Factor> factors = {{2, 1}, {2, 1}};
  const std::vector<double> values = {1.0, 1e300, 0.5, -1e300};
  const Round round =
      Round::make(ArmFeatures::product(values, factors), {.arm = 2, .cost = 0.5}).value();
  const auto policy = make_spanner_igw({}, {FeatureShape::kRows, 2, 1});
  const Proposal proposal = propose(*policy, round);
  EXPECT_EQ(proposal.support, std::vector<ArmIndex>{2});
  EXPECT_EQ(proposal.costs, std::vector<double>{1.0});
  EXPECT_EQ(proposal.distribution[0], 1.0);
}

TEST(SpannerIgw, GoesOnAfterLoading) {
  const SmallProduct product(kShape, 3);
  const FeatureLayout layout = learned_layout(product.features().layout());
  const auto policy = make_spanner_igw({}, layout);
  policy->learn({.features = {.features = std::span(product.rows).first(6)}, .cost = 0.7});
  ByteWriter out;
  policy->save(out);
  const auto copy = make_spanner_igw({}, layout);
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy->load(in).ok());
  EXPECT_EQ(propose(*copy, product.round()).costs, propose(*policy, product.round()).costs);
}

}  // namespace
}  // namespace handrail
