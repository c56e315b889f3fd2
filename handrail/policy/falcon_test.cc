#include "handrail/policy/falcon.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "handrail/explore/weighting.h"
#include "handrail/oracle/linear.h"
#include "handrail/oracle/ridge.h"
#include "tests/dense_ridge.h"

namespace handrail {
namespace {

constexpr FeatureLayout kLayout = {FeatureShape::kBlock, 2, 3};
const std::vector<double> kRow = {0.6, 0.8};

std::unique_ptr<Policy> falcon_over_ridge(const FalconConfig& config) {
  return make_falcon(config, kLayout, make_ridge({}, kLayout));
}

Proposal proposed(const Policy& policy) {
  Proposal out;
  policy.propose(Round::make(ArmFeatures::block(kRow, 3), {}).value(), {},
                 RandomStream(1, Purpose::kPolicy, 1), out);
  return out;
}

// Example number i of a fixed sequence.
struct Lesson {
  explicit Lesson(std::uint64_t i) {
    RandomStream stream(i, Purpose::kTest, 80);
    row = random_row(stream, 2);
    block = stream.below(3);
    cost = stream.uniform();
  }
  ArmView arm() const { return {.features = row, .block = block}; }

  std::vector<double> row;
  std::size_t block = 0;
  double cost = 0.0;
};

void teach(Policy& policy, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i <= last; ++i) {
    const Lesson lesson(i);
    policy.learn({.features = lesson.arm(), .cost = lesson.cost});
  }
}

// What ridge regression on the examples first..last forecasts: xᵀA⁻¹b / (1 + xᵀA⁻¹x).
std::vector<double> forecasts(std::uint64_t first, std::uint64_t last) {
  DenseRidge dense = {.lambda = 1.0, .size = 6};
  for (std::uint64_t i = first; i <= last; ++i) {
    const Lesson lesson(i);
    dense.add(stacked(lesson.arm(), kLayout), lesson.cost);
  }
  std::vector<double> costs;
  for (ArmIndex arm = 0; arm < 3; ++arm) {
    const std::vector<double> phi = stacked(ArmFeatures::block(kRow, 3).arm(arm), kLayout);
    costs.push_back(
        std::clamp(inner(phi, dense.theta()) / (1.0 + dense.squared_norm(phi)), 0.0, 1.0));
  }
  return costs;
}

void expect_near(const std::vector<double>& costs, const std::vector<double>& expected) {
  ASSERT_EQ(costs.size(), expected.size());
  for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_NEAR(costs[i], expected[i], 1e-12);
}

TEST(Falcon, IsUniformInTheFirstEpoch) {
  const auto policy = falcon_over_ridge({});
  teach(*policy, 1, 1);
  const Proposal proposal = proposed(*policy);
  EXPECT_EQ(proposal.gamma, 0.0);
  EXPECT_DOUBLE_EQ(proposal.distribution[0], 1.0 / 3.0);
  EXPECT_EQ(proposal.costs, (std::vector<double>{0.0, 0.0, 0.0}));  // nothing was fitted yet
  EXPECT_FALSE(policy->regret_bound().has_value());
}

TEST(Falcon, FitsToAllThePastAtTheStartOfAnEpoch) {
  const FalconConfig config = {.gamma = {.complexity = 2.0, .factor = 3.0, .delta = 0.1}};
  const auto policy = falcon_over_ridge(config);
  for (std::uint64_t i = 1; i <= 40; ++i) {
    teach(*policy, i, i);
    const Epoch epoch = epoch_at(i, std::nullopt);
    const Proposal proposal = proposed(*policy);
    SCOPED_TRACE(i);
    expect_near(proposal.costs, forecasts(1, epoch.start));
    ASSERT_EQ(proposal.gamma, falcon_gamma(config.gamma, epoch, epoch.start, 3));
    const Distribution expected = weigh_absolute_gaps(proposal.costs, *proposal.gamma, {});
    EXPECT_TRUE(
        std::ranges::equal(proposal.distribution.probabilities(), expected.probabilities()));
  }
}

TEST(Falcon, OfTheOtherVariantFitsToTheLastEpoch) {
  const FalconConfig config = {.gamma = {.variant = FalconVariant::kPlus}};
  const auto policy = falcon_over_ridge(config);
  teach(*policy, 1, 16);
  expect_near(proposed(*policy).costs, forecasts(9, 16));
  const Epoch epoch = epoch_at(16, std::nullopt);
  EXPECT_EQ(proposed(*policy).gamma, falcon_gamma(config.gamma, epoch, 8, 3));
  teach(*policy, 17, 31);
  expect_near(proposed(*policy).costs, forecasts(9, 16));
}

TEST(Falcon, FollowsAHorizon) {
  const auto policy = falcon_over_ridge({.horizon = 25});  // 10, then 2·25^{3/4} = 22.4
  teach(*policy, 1, 22);
  expect_near(proposed(*policy).costs, forecasts(1, 10));
  teach(*policy, 23, 23);
  expect_near(proposed(*policy).costs, forecasts(1, 23));
}

TEST(Falcon, FitsToTheNewestExamplesAndCountsThose) {
  const FalconConfig config = {.history = 5};
  const auto policy = falcon_over_ridge(config);
  teach(*policy, 1, 16);
  expect_near(proposed(*policy).costs, forecasts(12, 16));
  EXPECT_EQ(proposed(*policy).gamma, falcon_gamma(config.gamma, epoch_at(16, std::nullopt), 5, 3));
}

TEST(Falcon, FeedsAFreshOracleAsOftenAsItIsTold) {
  const auto policy = make_falcon({.passes = 3}, kLayout, make_linear({}, kLayout));
  teach(*policy, 1, 8);
  const auto oracle = make_linear({}, kLayout);
  for (int pass = 0; pass < 3; ++pass) {
    for (std::uint64_t i = 1; i <= 8; ++i) {
      const Lesson lesson(i);
      oracle->update(lesson.arm(), lesson.cost);
    }
  }
  std::vector<double> expected(3);
  Scratch scratch;
  oracle->predict(ArmFeatures::block(kRow, 3), expected, scratch);
  EXPECT_EQ(proposed(*policy).costs, expected);
}

TEST(Falcon, GoesOnAfterLoading) {
  const auto policy = falcon_over_ridge({});
  teach(*policy, 1, 11);
  ByteWriter out;
  policy->save(out);
  const auto copy = falcon_over_ridge({});
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy->load(in).ok());
  ASSERT_TRUE(in.at_end());
  for (std::uint64_t i = 12; i <= 20; ++i) {  // past the end of an epoch
    EXPECT_EQ(proposed(*copy).costs, proposed(*policy).costs);
    EXPECT_EQ(proposed(*copy).gamma, proposed(*policy).gamma);
    teach(*policy, i, i);
    teach(*copy, i, i);
  }
  const auto other = falcon_over_ridge({});
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(other->load(cut).ok());
  EXPECT_EQ(proposed(*other).gamma, 0.0);
}

}  // namespace
}  // namespace handrail
