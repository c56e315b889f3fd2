#include "handrail/env/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace handrail {
namespace {

std::unique_ptr<Environment> world(std::string_view spec, std::uint64_t seed = 1) {
  return make_world(parse_world(spec, {.seed = seed}).value());
}

EnvironmentRound round_at(const Environment& environment, std::uint64_t t) {
  EnvironmentRound round;
  environment.fill(t, round);
  return round;
}

std::span<const double> row(const EnvironmentRound& round, std::size_t arm) {
  const std::size_t width = round.features.size() / round.arm_count;
  return std::span(round.features).subspan(arm * width, width);
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The θ with ⟨θ, row⟩ = target for as many rows as it has entries: elimination with pivots.
std::vector<double> solve(std::vector<std::vector<double>> rows, std::vector<double> targets) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i; k < n; ++k) {
      if (std::abs(rows[k][i]) > std::abs(rows[pivot][i])) pivot = k;
    }
    std::swap(rows[i], rows[pivot]);
    std::swap(targets[i], targets[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j < n; ++j) rows[k][j] -= factor * rows[i][j];
      targets[k] -= factor * targets[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) targets[i] /= rows[i][i];
  return targets;
}

// θ of a linear world, from the arms of its first round.
std::vector<double> theta_of(const EnvironmentRound& round) {
  std::vector<std::vector<double>> rows;
  const std::size_t width = row(round, 0).size();
  for (std::size_t arm = 0; arm < width; ++arm) {
    rows.emplace_back(row(round, arm).begin(), row(round, arm).end());
  }
  const auto width_signed = static_cast<std::ptrdiff_t>(width);
  return solve(rows, {round.expected_costs.begin(), round.expected_costs.begin() + width_signed});
}

TEST(World, ShowsUnitRowsWithAConstant) {
  const auto environment = world("linear:arms=20,dim=10");
  EXPECT_EQ(environment->layout(), (FeatureLayout{FeatureShape::kRows, 11, 1}));
  const EnvironmentRound round = round_at(*environment, 3);
  for (std::size_t arm = 0; arm < 20; ++arm) {
    EXPECT_NEAR(dot(row(round, arm), row(round, arm)), 1.0, 1e-14);
    EXPECT_EQ(row(round, arm).back(), 1.0 / std::numbers::sqrt2);
  }
}

// x is uniform on the sphere: over 10^5 rows each coordinate has mean 0 and mean square 1/d. A
// coordinate lies in [−1, 1], its square in [0, 1]: Hoeffding at 1e-6 gives 0.0171 and 0.0086.
TEST(World, DrawsContextsUniformlyOnTheSphere) {
  const auto environment = world("linear:arms=100,dim=3");
  double sum = 0.0;
  double squares = 0.0;
  EnvironmentRound round;
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    environment->fill(t, round);
    for (std::size_t arm = 0; arm < 100; ++arm) {
      const double x = row(round, arm)[1] * std::numbers::sqrt2;
      sum += x;
      squares += x * x;
    }
  }
  EXPECT_NEAR(sum / 1e5, 0.0, 0.0171);
  EXPECT_NEAR(squares / 1e5, 1.0 / 3.0, 0.0086);
}

// h = ½ + ½⟨a, x⟩ = ⟨(a, 1), (x, 1)/√2⟩/√2: one θ explains every round, and a has norm 1.
TEST(LinearWorld, HasOneThetaForAllRounds) {
  const auto environment = world("linear:arms=20,dim=10", 5);
  const std::vector<double> theta = theta_of(round_at(*environment, 1));
  for (std::uint64_t t = 2; t <= 50; ++t) {
    const EnvironmentRound round = round_at(*environment, t);
    for (std::size_t arm = 0; arm < 20; ++arm) {
      EXPECT_NEAR(dot(theta, row(round, arm)), round.expected_costs[arm], 1e-9);
    }
  }
  EXPECT_NEAR(theta.back(), 1.0 / std::numbers::sqrt2, 1e-9);
  EXPECT_NEAR(std::sqrt(2.0 * dot(theta, theta) - 1.0), 1.0, 1e-9);
}

// In one dimension ⟨a, x⟩ is 1 or −1 in every round: the edges of [0, 1], which rounding must not
// cross in any dimension.
TEST(LinearWorld, KeepsItsCostsInsideAtTheEdges) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const char* spec : {"linear:arms=40,dim=1", "linear:arms=40,dim=2"}) {
      for (const double cost : round_at(*world(spec, seed), 1).expected_costs) {
        ASSERT_GE(cost, 0.0);
        ASSERT_LE(cost, 1.0);
      }
    }
  }
  const EnvironmentRound round = round_at(*world("linear:arms=40,dim=1"), 1);
  EXPECT_LT(std::ranges::min(round.expected_costs), 1e-14);
  EXPECT_GT(std::ranges::max(round.expected_costs), 1.0 - 1e-14);
}

// The direction a is the linear world's of the same seed, whose θ can be solved for.
TEST(NonlinearWorld, FollowsItsFormulas) {
  const EnvironmentRound linear = round_at(*world("linear:arms=20,dim=10"), 7);
  const EnvironmentRound quadratic = round_at(*world("nonlinear:arms=20,dim=10"), 7);
  const EnvironmentRound cosine = round_at(*world("nonlinear:arms=20,dim=10,shape=cosine"), 7);
  EXPECT_EQ(linear.features, quadratic.features);
  for (std::size_t arm = 0; arm < 20; ++arm) {
    const double z = std::sqrt(10.0) * (2.0 * linear.expected_costs[arm] - 1.0);
    EXPECT_NEAR(quadratic.expected_costs[arm], z * z / (1.0 + z * z), 1e-12);
    EXPECT_NEAR(cosine.expected_costs[arm], 0.5 + 0.5 * std::cos(3.0 * z), 1e-12);
  }
}

// q = h/(1 − h) = xᵀAᵀAx is linear in the products x_i x_j: for d = 2, three arms give AᵀA and it
// explains the rest.
TEST(NonlinearWorld, BilinearIsAQuadraticForm) {
  const auto environment = world("nonlinear:arms=30,dim=2,shape=bilinear", 3);
  std::vector<std::vector<double>> products;
  std::vector<double> q;
  const EnvironmentRound round = round_at(*environment, 1);
  for (std::size_t arm = 0; arm < 30; ++arm) {
    const double x0 = row(round, arm)[0] * std::numbers::sqrt2;
    const double x1 = row(round, arm)[1] * std::numbers::sqrt2;
    products.push_back({x0 * x0, 2.0 * x0 * x1, x1 * x1});
    q.push_back(round.expected_costs[arm] / (1.0 - round.expected_costs[arm]));
  }
  const std::vector<double> form =
      solve({products.begin(), products.begin() + 3}, {q[0], q[1], q[2]});
  for (std::size_t arm = 3; arm < 30; ++arm) EXPECT_NEAR(dot(form, products[arm]), q[arm], 1e-6);
  EXPECT_GT(form[0] * form[2] - form[1] * form[1],
            0.0);  // det(A)² of a matrix that is not singular
}

// Entries N(0, 1/d): the mean of q = |Ax|² over seeds is |x|² = 1. q has standard deviation
// √(2/d) ≤ 1/√5 for d = 10; the mean of 2000 is within 0.05 but for 5 standard deviations.
TEST(NonlinearWorld, BilinearMatrixHasUnitScale) {
  double sum = 0.0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const double h = round_at(*world("nonlinear:arms=1,shape=bilinear", seed), 1).expected_costs[0];
    sum += h / (1.0 - h);
  }
  EXPECT_NEAR(sum / 2000, 1.0, 0.05);
}

TEST(MisspecifiedWorld, TwoArmsShowTheCheapestOtherArm) {
  const auto environment = world("misspecified:arms=6");
  const auto linear = world("linear:arms=6");
  for (std::uint64_t t = 1; t <= 50; ++t) {
    const EnvironmentRound round = round_at(*environment, t);
    const EnvironmentRound honest = round_at(*linear, t);
    const auto cheapest = static_cast<std::size_t>(
        std::min_element(honest.expected_costs.begin() + 2, honest.expected_costs.end()) -
        honest.expected_costs.begin());
    for (const std::size_t liar : {0u, 1u}) {
      EXPECT_TRUE(std::ranges::equal(row(round, liar), row(honest, cheapest)));
      EXPECT_EQ(round.expected_costs[liar], 0.95);
    }
    for (std::size_t arm = 2; arm < 6; ++arm) {
      EXPECT_TRUE(std::ranges::equal(row(round, arm), row(honest, arm)));
      EXPECT_EQ(round.expected_costs[arm], honest.expected_costs[arm]);
    }
    EXPECT_GE(round.baseline.arm, 2u);
  }
}

TEST(DriftingWorld, JumpsAfterTheRoundItNames) {
  const auto environment = world("drifting:jump=20");
  const auto linear = world("linear");
  for (const std::uint64_t t : {1u, 19u, 20u}) {
    EXPECT_EQ(round_at(*environment, t).expected_costs, round_at(*linear, t).expected_costs);
  }
  for (const std::uint64_t t : {21u, 22u, 5000u}) {
    const EnvironmentRound round = round_at(*environment, t);
    const EnvironmentRound before = round_at(*linear, t);
    EXPECT_EQ(round.features, before.features);
    EXPECT_EQ(round.baseline.arm, before.baseline.arm);
    EXPECT_EQ(round.baseline.cost, before.baseline.cost);
    for (ArmIndex arm = 0; arm < 10; ++arm) {
      const bool kept = arm == round.baseline.arm;
      EXPECT_EQ(round.expected_costs[arm], kept ? before.expected_costs[arm] : 1.0);
    }
  }
}

TEST(ArmedWorld, SpreadsItsCostsEvenlyAndKeepsThem) {
  const auto environment = world("armed:arms=7,rank=2");
  EXPECT_EQ(environment->layout(), (FeatureLayout{FeatureShape::kBlock, 1, 7}));
  const EnvironmentRound round = round_at(*environment, 1);
  EXPECT_EQ(round.features, std::vector<double>{1.0});
  std::vector<double> sorted = round.expected_costs;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(sorted[i], 0.2 + 0.1 * static_cast<double>(i), 1e-15);
  }
  EXPECT_EQ(round.baseline.cost, sorted[1]);
  EXPECT_EQ(round_at(*environment, 9999).expected_costs, round.expected_costs);
  EXPECT_EQ(round_at(*world("armed:arms=1"), 1).expected_costs, std::vector<double>{0.5});
}

// All 24 orders of four arms turn up in 2000 seeds but for a chance of 24 (23/24)^2000 < 1e-35.
TEST(ArmedWorld, IsPermutedByTheSeed) {
  std::set<std::vector<double>> orders;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    orders.insert(round_at(*world("armed:arms=4", seed), 1).expected_costs);
  }
  EXPECT_EQ(orders.size(), 24u);
}

TEST(World, BaselineHasTheRankItWasAskedFor) {
  for (const char* kind : {"linear", "nonlinear", "misspecified", "armed"}) {
    for (std::size_t rank = 1; rank <= 5; ++rank) {
      const auto environment = world(std::string(kind) + ":arms=7,rank=" + std::to_string(rank));
      for (std::uint64_t t = 1; t <= 30; ++t) {
        const EnvironmentRound round = round_at(*environment, t);
        const bool lies = std::string_view(kind) == "misspecified";
        std::vector<double> sorted(round.expected_costs.begin() + (lies ? 2 : 0),
                                   round.expected_costs.end());
        std::ranges::sort(sorted);
        EXPECT_EQ(round.baseline.cost, sorted[rank - 1]);
        EXPECT_EQ(round.baseline.cost, round.expected_costs[round.baseline.arm]);
      }
    }
  }
}

// In one dimension every cost is one of two, so a rank is nearly always a tie.
TEST(World, TiesOfTheBaselineGoToTheLowestIndex) {
  for (std::size_t rank = 1; rank <= 6; ++rank) {
    const auto environment = world("linear:arms=6,dim=1,rank=" + std::to_string(rank));
    for (std::uint64_t t = 1; t <= 50; ++t) {
      const EnvironmentRound round = round_at(*environment, t);
      std::vector<ArmIndex> order = {0, 1, 2, 3, 4, 5};
      std::ranges::stable_sort(order, {}, [&](ArmIndex arm) { return round.expected_costs[arm]; });
      EXPECT_EQ(round.baseline.arm, order[rank - 1]);
    }
  }
}

TEST(World, ManyArmsStillHaveABaseline) {
  const EnvironmentRound round = round_at(*world("linear:arms=20000,dim=2,rank=777"), 1);
  std::vector<double> sorted = round.expected_costs;
  std::ranges::sort(sorted);
  EXPECT_EQ(round.baseline.cost, sorted[776]);
}

TEST(World, OutcomesFollowNoiseAndDelay) {
  const auto exact = world("linear:noise=none,delay=7");
  const EnvironmentRound round = round_at(*exact, 5);
  EXPECT_EQ(exact->outcome(round, 3).cost, round.expected_costs[3]);
  EXPECT_EQ(exact->outcome(round, 3).arrives, 12u);
  const auto late = world("linear:delay=outcome:5:300");
  for (std::uint64_t t = 1; t <= 100; ++t) {
    const Outcome outcome = late->outcome(round_at(*late, t), 2);
    EXPECT_TRUE(outcome.cost == 0.0 || outcome.cost == 1.0);
    EXPECT_EQ(outcome.arrives, outcome.cost == 0.0 ? t + 5 : t + 300);
  }
}

TEST(WorldDeathTest, StopsAtConfigsThatNobodyChecked) {
  EXPECT_DEATH(make_world({.arms = 0}), "broken promise");
  const auto environment = world("linear");
  const EnvironmentRound round = round_at(*environment, 1);
  EXPECT_DEATH(static_cast<void>(environment->outcome(round, 10)), "broken promise");
}

}  // namespace
}  // namespace handrail
