#include "handrail/safety/paper_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

TEST(PaperGate, MarginIsTheWorkedExample) {
  EXPECT_NEAR(paper_margin({.margin_scale = 16.0}, 4, 1.0), 74.237425, 1e-6);
}

// As printed, and unsafe: the first candidate is held against the allowance with no margin at all.
TEST(PaperGate, LeavesRoundOneUnprotectedUnlessThisRoundCounts) {
  EXPECT_EQ(paper_margin({}, 0, 1.0), 0.0);
  EXPECT_NEAR(
      paper_margin({.margin_scale = 16.0, .margin_rounds = MarginRounds::kMPlusOne}, 0, 1.0),
      16.0 * std::sqrt(1.0 + std::log(80.0)), 1e-12);
}

TEST(PaperGate, AgreesWithAModelThatKeepsEveryRound) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    PaperGate gate({.margin_scale = 3.0, .delta = 0.1});
    std::vector<double> explored;
    for (int t = 0; t < 100; ++t) {
      const double candidate_cost = stream.uniform();
      const double regret_bound = 1.0 + stream.uniform();
      double exposure = candidate_cost;
      for (const double cost : explored) exposure += cost;
      exposure += 3.0 * std::sqrt(static_cast<double>(explored.size()) *
                                  (regret_bound + std::log(4.0 / 0.1)));
      EXPECT_NEAR(gate.exposure(candidate_cost, regret_bound).value, exposure, 1e-9);
      if (stream.uniform() < 0.5) continue;
      explored.push_back(stream.uniform());
      gate.book_explored(explored.back());
    }
  }
}

TEST(PaperGate, SavesAndLoadsEveryBit) {
  PaperGate gate({.margin_scale = 16.0});
  gate.book_explored(0.1);
  gate.book_explored(0.2);
  ByteWriter out;
  gate.save(out);
  PaperGate loaded({.margin_scale = 16.0});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_EQ(loaded.exposure(0.5, 2.0).value, gate.exposure(0.5, 2.0).value);
}

}  // namespace
}  // namespace handrail
