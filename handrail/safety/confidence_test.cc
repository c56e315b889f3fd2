#include "handrail/safety/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

constexpr double kDelta = 0.05;

struct Sums {
  double centres = 0.0;
  RateArray growth{};

  void add(double centre, double cost) {
    centres += centre;
    const RateArray added = log_growth(centre, cost);
    for (std::size_t j = 0; j < kRateCount; ++j) growth[j] += added[j];
  }
  double minimum() const { return minimum_bound(centres, growth, BoundTerms(kDelta)); }
  double mixture() const { return mixture_bound(centres, growth, BoundTerms(kDelta)); }
};

TEST(Confidence, WeightsSumToLessThanOne) {
  double sum = 0.0;
  for (std::size_t j = 0; j < kRateCount; ++j) sum += rate_weight(j);
  EXPECT_NEAR(sum, 0.96, 1e-12);
  EXPECT_EQ(kRates[0], 0.75);
  EXPECT_EQ(kRates[3], 0.75 / 8);
}

TEST(Confidence, GivesTheWorkedExample) {
  const std::vector<double> v = {.5, .4, .3, .3, .2, .2};
  const std::vector<double> y = {1, 0, 0, 1, 0, 0};
  const std::vector<double> minimum = {6.045177, 6.095358, 6.124771, 7.417358, 7.431009, 7.444659};
  const std::vector<double> mixture = {5.940941, 5.990364, 6.019320, 7.305846, 7.319266, 7.332685};
  Sums sums;
  CostBound clipped(kDelta, BoundKind::kMinimum);
  for (std::size_t i = 0; i < v.size(); ++i) {
    sums.add(v[i], y[i]);
    EXPECT_NEAR(sums.minimum(), minimum[i], 1e-6);
    EXPECT_NEAR(sums.mixture(), mixture[i], 1e-6);
    clipped.add_member(v[i]);
    clipped.reveal(v[i], y[i]);
    EXPECT_EQ(clipped.upper(), static_cast<double>(i + 1));
  }
}

struct LongExample {
  double centre;
  std::function<double(int)> cost;
  double minimum;
  double mixture;
};

TEST(Confidence, GivesTheWorkedExamplesOfAThousandRounds) {
  const std::vector<LongExample> examples = {
      {.5, [](int i) { return i % 2 == 1 ? 1.0 : 0.0; }, 552.771179, 551.781443},
      {.1, [](int i) { return i % 10 == 9 ? 1.0 : 0.0; }, 134.209035, 132.884703},
      {.01, [](int) { return .01; }, 14.918506, 14.816595}};
  for (const LongExample& example : examples) {
    Sums sums;
    for (int i = 0; i < 1000; ++i) sums.add(example.centre, example.cost(i));
    EXPECT_NEAR(sums.minimum(), example.minimum, 1e-6);
    EXPECT_NEAR(sums.mixture(), example.mixture, 1e-6);
  }
}

TEST(Confidence, CountsUnknownCostsAsOneAndCorrectsThem) {
  Sums pending;
  Sums revealed;
  CostBound bound(kDelta, BoundKind::kMinimum);
  for (int i = 0; i < 10; ++i) {
    pending.add(.3, 1.0);
    revealed.add(.3, 0.0);
    bound.add_member(.3);
  }
  EXPECT_NEAR(pending.minimum(), 17.844379, 1e-6);
  EXPECT_NEAR(revealed.minimum(), 5.212628, 1e-6);
  EXPECT_EQ(bound.upper(), 10.0);
  EXPECT_EQ(bound.observed(), 10.0);
  for (int i = 0; i < 10; ++i) bound.reveal(.3, 0.0);
  EXPECT_NEAR(bound.upper(), 5.212628, 1e-6);
  EXPECT_EQ(bound.observed(), 0.0);
}

TEST(Confidence, MixtureIsNeverWiderThanTheMinimum) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    Sums sums;
    const std::uint64_t members = 1 + stream.below(400);
    for (std::uint64_t i = 0; i < members; ++i) sums.add(stream.uniform(), stream.uniform());
    EXPECT_LE(sums.mixture(), sums.minimum());
    // It solves the theorem's equation.
    double left = 0.0;
    for (std::size_t j = 0; j < kRateCount; ++j) {
      left +=
          rate_weight(j) * std::exp(kRates[j] * (sums.mixture() - sums.centres) + sums.growth[j]);
    }
    EXPECT_NEAR(left * kDelta, 1.0, 1e-9);
  }
}

TEST(Confidence, GrowsWithEveryCost) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 2);
    Sums low;
    Sums high;
    const std::uint64_t members = 1 + stream.below(100);
    const std::uint64_t changed = stream.below(members);
    for (std::uint64_t i = 0; i < members; ++i) {
      const double centre = stream.uniform();
      const double cost = stream.uniform();
      low.add(centre, i == changed ? cost * stream.uniform() : cost);
      high.add(centre, cost);
    }
    EXPECT_LE(low.minimum(), high.minimum());
    EXPECT_LE(low.mixture(), high.mixture() + 1e-9);
  }
}

TEST(Confidence, DoesNotDependOnTheOrderOfFeedback) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 3);
    CostBound forward(kDelta, BoundKind::kMinimum);
    CostBound backward(kDelta, BoundKind::kMinimum);
    std::vector<double> centres(200);
    std::vector<double> costs(200);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      centres[i] = stream.uniform();
      costs[i] = stream.uniform();
      forward.add_member(centres[i]);
      backward.add_member(centres[i]);
    }
    for (std::size_t i = 0; i < centres.size(); ++i) {
      forward.reveal(centres[i], costs[i]);
      const std::size_t j = centres.size() - 1 - i;
      backward.reveal(centres[j], costs[j]);
    }
    EXPECT_NEAR(forward.upper(), backward.upper(), 1e-9);
  }
}

// The sums remember what the newest member added. Members of many centres whose costs come in
// another order must end with the bits of those who forget it.
TEST(Confidence, CorrectsByWhatTheMemberAdded) {
  RandomStream stream(1, Purpose::kTest, 5);
  GrowthSums sums;
  RateArray expected{};
  std::vector<double> waiting;
  for (int i = 0; i < 500; ++i) {
    waiting.push_back(stream.uniform());
    sums.add(waiting.back());
    const RateArray added = log_growth(waiting.back(), 1.0);
    for (std::size_t j = 0; j < kRateCount; ++j) expected[j] += added[j];
    while (!waiting.empty() && stream.uniform() < 0.5) {
      const std::size_t chosen = stream.below(waiting.size());
      const double centre = waiting[chosen];
      const double cost = stream.uniform();
      sums.correct(centre, cost);
      const RateArray known = log_growth(centre, cost);
      const RateArray unknown = log_growth(centre, 1.0);
      for (std::size_t j = 0; j < kRateCount; ++j) expected[j] += known[j] - unknown[j];
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    ASSERT_EQ(sums.growth, expected);
  }
}

// Σy ≤ Ub ≤ n, a member adds at most 1, and feedback never raises it.
TEST(Confidence, UpperStaysBetweenWhatWasSeenAndTheNumberOfMembers) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 4);
    CostBound bound(kDelta, seed % 2 == 0 ? BoundKind::kMinimum : BoundKind::kMixture);
    std::vector<double> waiting;
    for (int i = 0; i < 300; ++i) {
      const double before = bound.upper();
      waiting.push_back(stream.uniform());
      bound.add_member(waiting.back());
      EXPECT_LE(bound.upper(), before + 1.0);
      while (!waiting.empty() && stream.uniform() < 0.6) {
        const double known = bound.upper();
        bound.reveal(waiting.back(), stream.uniform() < 0.3 ? 1.0 : 0.0);
        waiting.pop_back();
        EXPECT_LE(bound.upper(), known);
      }
      EXPECT_LE(bound.observed(), bound.upper() + 1e-9);
      EXPECT_LE(bound.upper(), static_cast<double>(bound.member_count()));
    }
  }
}

TEST(Confidence, SavesAndLoadsEveryBit) {
  CostBound bound(kDelta, BoundKind::kMinimum);
  for (int i = 0; i < 50; ++i) bound.add_member(0.01 * i);
  for (int i = 0; i < 30; ++i) bound.reveal(0.01 * i, 0.0);
  ByteWriter out;
  bound.save(out);
  CostBound loaded(kDelta, BoundKind::kMinimum);
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  bound.add_member(0.5);
  loaded.add_member(0.5);
  EXPECT_EQ(bound.upper(), loaded.upper());
  EXPECT_EQ(bound.observed(), loaded.observed());
  EXPECT_EQ(bound.member_count(), loaded.member_count());
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(loaded.load(cut).ok());
}

}  // namespace
}  // namespace handrail
