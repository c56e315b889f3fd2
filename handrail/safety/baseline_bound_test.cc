#include "handrail/safety/baseline_bound.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

struct Known {
  BaselineRound round;
  double cost = 0.0;
};

BaselineBound bound_after(const BaselineBoundConfig& config, const std::vector<Known>& rounds) {
  BaselineBound bound(config);
  for (const auto& [round, cost] : rounds) {
    bound.add(round);
    if (round.played) bound.reveal(round, cost);
  }
  return bound;
}

// 200 shut rounds with α = .1 and costs 0, 1, 0, 1, …: Σ βq would be 10 for a fair coin.
std::vector<Known> shut_rounds() {
  std::vector<Known> rounds;
  for (int i = 0; i < 200; ++i) {
    rounds.push_back({.round = {.weight = 0.1}, .cost = static_cast<double>(i % 2)});
  }
  return rounds;
}

// 300 rounds, α = .1: every third is open with π = .25, and every fourth of these plays the
// baseline's arm, at a cost of 1 and 0 in turn; the others are shut, with costs 0 and 1. Σ X
// = 67.2.
std::vector<Known> mixed_rounds() {
  std::vector<Known> rounds;
  for (int i = 0; i < 300; ++i) {
    const int k = i / 3;
    const bool open = i % 3 == 0;
    const BaselineRound round = {
        .weight = open ? 1.1 : 0.1, .chance = open ? 0.25 : 1.0, .played = !open || k % 4 == 0};
    rounds.push_back({round, static_cast<double>(open ? 1 - k / 4 % 2 : i % 2)});
  }
  return rounds;
}

std::vector<Known> random_rounds(RandomStream& stream, std::size_t count) {
  std::vector<Known> rounds(count);
  for (auto& [round, cost] : rounds) {
    const bool open = stream.uniform() < 0.5;
    round.weight = open ? 1.1 : 0.1;
    round.chance = open ? 0.1 + 0.9 * stream.uniform() : 1.0;
    round.centre = stream.uniform();
    round.played = stream.uniform() < round.chance;
    cost = stream.uniform();
  }
  return rounds;
}

constexpr BaselineBoundConfig kIps = {.estimator = Estimator::kIps, .fall = 1.1};
constexpr BaselineBoundConfig kDr = {.estimator = Estimator::kDr, .fall = 1.1 / 0.1};

TEST(EstimateGap, IsTheEstimateMinusTheWeightedCentre) {
  const BaselineRound round = {.weight = 1.1, .chance = 0.25, .centre = 0.5};
  EXPECT_DOUBLE_EQ(estimate_gap(Estimator::kIps, round, 1.0), 1.1 * (4.0 - 0.5));
  EXPECT_DOUBLE_EQ(estimate_gap(Estimator::kDr, round, 1.0), 1.1 * 0.5 * 4.0);
  EXPECT_DOUBLE_EQ(estimate_gap(Estimator::kIps, round, 0.0), -1.1 * 0.5);
  EXPECT_DOUBLE_EQ(estimate_gap(Estimator::kDr, round, 0.0), -1.1 * 0.5 * 4.0);
}

TEST(EstimateGap, NeedsNoChanceWhereAnotherArmWasPlayed) {
  const BaselineRound round = {.weight = 1.1, .chance = 0.0, .centre = 0.5, .played = false};
  EXPECT_EQ(estimate_gap(Estimator::kIps, round, 0.0), -0.55);
  EXPECT_EQ(estimate_gap(Estimator::kDr, round, 0.0), 0.0);
}

// Over the draw both have the mean β(q − v), at any chance and any centre.
TEST(EstimateGap, HasTheRightMeanOverTheDraw) {
  for (const Estimator estimator : {Estimator::kIps, Estimator::kDr}) {
    for (const double chance : {0.01, 0.3, 1.0}) {
      BaselineRound round = {.weight = 1.1, .chance = chance, .centre = 0.7};
      const double if_played = estimate_gap(estimator, round, 0.2);
      round.played = false;
      const double if_not = estimate_gap(estimator, round, 0.0);
      EXPECT_NEAR(chance * if_played + (1.0 - chance) * if_not, 1.1 * (0.2 - 0.7), 1e-12);
    }
  }
}

// The numbers for dr and for the mixture were computed from the formulas by a script that shares
// nothing with this code: log1p and fsum over the list of rounds, and halving for the mixture.
TEST(BaselineBound, HasTheValuesOfTheFormula) {
  EXPECT_NEAR(bound_after(kIps, shut_rounds()).current(), 4.419090, 1e-6);
  EXPECT_NEAR(bound_after(kIps, mixed_rounds()).current(), 29.850172, 1e-6);
  EXPECT_NEAR(bound_after(kDr, mixed_rounds()).current(), 8.924001, 1e-6);
  BaselineBoundConfig exact_floor = kDr;
  exact_floor.fall = 1.1 / 0.25;
  EXPECT_NEAR(bound_after(exact_floor, mixed_rounds()).current(), 34.515108, 1e-6);
}

TEST(BaselineBound, HasTheValuesOfTheMixture) {
  BaselineBoundConfig mixture = kIps;
  mixture.bound = BoundKind::kMixture;
  EXPECT_NEAR(bound_after(mixture, shut_rounds()).current(), 4.533950, 1e-6);
  EXPECT_NEAR(bound_after(mixture, mixed_rounds()).current(), 30.683116, 1e-6);
}

TEST(BaselineBound, CountsUnknownCostsAsNothingAndCorrectsThem) {
  BaselineBound bound({});
  const BaselineRound round = {.centre = 0.3};
  for (int i = 0; i < 10; ++i) bound.add(round);
  EXPECT_NEAR(bound.current(), -5.317069, 1e-6);
  EXPECT_EQ(bound.lower(), 0.0);
  for (int i = 0; i < 10; ++i) bound.reveal(round, 1.0);
  EXPECT_NEAR(bound.current(), 3.708086, 1e-6);
  EXPECT_EQ(bound.lower(), bound.current());
}

TEST(BaselineBound, NeverFallsAndRisesWithEveryCostThatBecomesKnown) {
  for (const BaselineBoundConfig& config : {kIps, kDr}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      RandomStream stream(seed, Purpose::kTest, 1);
      BaselineBound bound(config);
      bool fell = false;
      for (const auto& [round, cost] : random_rounds(stream, 200)) {
        const double highest = bound.lower();
        bound.add(round);
        EXPECT_GE(bound.lower(), highest);
        const double unknown = bound.current();
        fell = fell || unknown < highest;
        if (round.played) bound.reveal(round, cost);
        EXPECT_GE(bound.current(), unknown - 1e-9);
        EXPECT_GE(bound.lower(), bound.current());
      }
      EXPECT_TRUE(fell);  // else the largest so far would be nothing to speak of
    }
  }
}

TEST(BaselineBound, DoesNotDependOnTheOrderOfFeedback) {
  for (const BaselineBoundConfig& config : {kIps, kDr}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      RandomStream stream(seed, Purpose::kTest, 2);
      std::vector<Known> rounds = random_rounds(stream, 400);
      const BaselineBound at_once = bound_after(config, rounds);
      BaselineBound forward(config);
      for (const auto& [round, cost] : rounds) forward.add(round);
      BaselineBound shuffled = forward;
      for (const auto& [round, cost] : rounds) {
        if (round.played) forward.reveal(round, cost);
      }
      for (std::size_t left = rounds.size(); left > 0; --left) {
        const std::size_t chosen = stream.below(left);
        const auto [round, cost] = rounds[chosen];
        if (round.played) shuffled.reveal(round, cost);
        rounds[chosen] = rounds[left - 1];
      }
      EXPECT_NEAR(shuffled.current(), forward.current(), 1e-9);
      EXPECT_NEAR(shuffled.current(), at_once.current(), 1e-9);
      EXPECT_NEAR(shuffled.lower(), forward.lower(), 1e-9);
    }
  }
}

TEST(BaselineBound, StaysFiniteAtTheLeastChance) {
  BaselineBound bound(kIps);
  const BaselineRound round = {.weight = 1.1, .chance = 1e-6, .centre = 0.0};
  bound.add(round);
  bound.reveal(round, 1.0);
  // X = 1.1·10⁶, of which the least price is left at the rate where log(1 + λX) pays best.
  EXPECT_GT(bound.lower(), 1.0);
  EXPECT_LT(bound.lower(), 1.1e6);
}

TEST(BaselineBound, SavesAndLoadsEveryBit) {
  RandomStream stream(1, Purpose::kTest, 3);
  BaselineBound bound = bound_after(kDr, random_rounds(stream, 300));
  ByteWriter out;
  bound.save(out);
  BaselineBound loaded(kDr);
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (const auto& [round, cost] : random_rounds(stream, 50)) {
    bound.add(round);
    loaded.add(round);
  }
  EXPECT_EQ(bound.current(), loaded.current());
  EXPECT_EQ(bound.lower(), loaded.lower());
  ByteReader cut(out.bytes().substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(loaded.load(cut).ok());
}

}  // namespace
}  // namespace handrail
