#include "handrail/policy/own_draws.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

// Three arms whose indices are written down, draw after draw.
class Draws {
 public:
  Proposal propose(std::size_t draws) {
    Proposal out;
    propose_winners(draws, 3, out, [&] { out.indices = indices_[next_++]; });
    return out;
  }

 private:
  const std::array<std::vector<double>, 4> indices_ = {
      {{0.5, 0.2, 0.9}, {0.1, 0.4, 0.4}, {0.7, 0.3, 0.3}, {0.6, 0.8, -0.2}}};
  std::size_t next_ = 0;
};

TEST(OwnDraws, OneDrawIsCertainOfItsWinnerAndKnowsNoChance) {
  const Proposal proposal = Draws().propose(1);
  EXPECT_EQ(proposal.distribution[1], 1.0);
  EXPECT_EQ(proposal.chances, Chances::kUnknown);
  EXPECT_EQ(proposal.indices, (std::vector{0.5, 0.2, 0.9}));
}

// Arm 1 wins the first draw and, by its lower number, the third.
TEST(OwnDraws, ManyDrawsShareTheProbabilityByWhatEachArmWon) {
  const Proposal proposal = Draws().propose(4);
  EXPECT_EQ(proposal.distribution[0], 0.25);
  EXPECT_EQ(proposal.distribution[1], 0.5);
  EXPECT_EQ(proposal.distribution[2], 0.25);
  EXPECT_EQ(proposal.distribution.greedy_arm(), 1u);
  EXPECT_EQ(proposal.chances, Chances::kEstimated);
  EXPECT_TRUE(proposal.indices.empty());
}

}  // namespace
}  // namespace handrail
