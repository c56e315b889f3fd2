#include "handrail/safety/ledger.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

Decision decision_of(Choice choice, double baseline_cost) {
  Decision decision;
  decision.choice = choice;
  decision.baseline.cost = baseline_cost;
  return decision;
}

// A model that keeps every round and recomputes the paper's form of the allowance term by term.
struct LedgerModel {
  double alpha;
  double reserve;
  std::vector<double> costs = {};
  std::vector<bool> charged = {};

  double allowance(double next) const {
    double all = next;
    double others = 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      all += costs[i];
      if (!charged[i]) others += costs[i];
    }
    return (1.0 + alpha) * all - others + reserve;
  }
};

TEST(Ledger, AgreesWithAModelThatKeepsEveryRound) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    LedgerModel model{.alpha = stream.uniform(), .reserve = 3.0 * stream.uniform()};
    Ledger ledger({.alpha = model.alpha, .reserve = model.reserve});
    for (int t = 0; t < 200; ++t) {
      const double cost = stream.uniform();
      EXPECT_NEAR(ledger.allowance(cost), model.allowance(cost), 1e-9);
      const bool charged = stream.uniform() < 0.5;
      ledger.book(decision_of(charged ? Choice::kExplore : Choice::kBaseline, cost), charged);
      model.costs.push_back(cost);
      model.charged.push_back(charged);
    }
    EXPECT_NEAR(ledger.earned(), model.allowance(0.0), 1e-9);
  }
}

TEST(Ledger, AdmitsATieAndNothingBeyondIt) {
  EXPECT_TRUE(admits(1.0, 1.0));
  EXPECT_TRUE(admits(0.5, 1.0));
  EXPECT_FALSE(admits(1.0 + 0x1.0p-52, 1.0));
}

TEST(Ledger, CountsChoicesAndRevealedCosts) {
  Ledger ledger({.alpha = 0.1, .reserve = 0.0});
  EXPECT_EQ(ledger.charged_cost_mean(), 0.5);
  ledger.book(decision_of(Choice::kExplore, 0.5), true);
  ledger.book(decision_of(Choice::kExplore, 0.5), false);  // explored, but drew the baseline's arm
  ledger.book(decision_of(Choice::kBaseline, 0.5), false);
  ledger.reveal(Choice::kExplore, true, 0.25);
  ledger.reveal(Choice::kExplore, false, 1.0);
  ledger.reveal(Choice::kBaseline, false, 1.0);
  EXPECT_EQ(ledger.explored(), 2u);
  EXPECT_EQ(ledger.baseline_played(), 1u);
  EXPECT_EQ(ledger.explored_cost_sum(), 1.25);
  EXPECT_EQ(ledger.charged_cost_mean(), 0.25);
}

TEST(Ledger, SavesAndLoadsEveryBit) {
  Ledger ledger({.alpha = 0.1, .reserve = 0.0});
  ledger.book(decision_of(Choice::kExplore, 0.1), true);
  ledger.book(decision_of(Choice::kBaseline, 0.7), false);
  ledger.reveal(Choice::kExplore, true, 0.3);
  ByteWriter out;
  ledger.save(out);
  Ledger loaded({.alpha = 0.1, .reserve = 0.0});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_EQ(loaded.allowance(0.2), ledger.allowance(0.2));
  EXPECT_EQ(loaded.explored(), 1u);
  EXPECT_EQ(loaded.baseline_played(), 1u);
  EXPECT_EQ(loaded.explored_cost_sum(), 0.3);
  EXPECT_EQ(loaded.charged_cost_mean(), 0.3);
  ByteReader cut(out.bytes().substr(1));
  EXPECT_FALSE(loaded.load(cut).ok());
}

}  // namespace
}  // namespace handrail
