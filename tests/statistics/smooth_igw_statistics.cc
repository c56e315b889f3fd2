// Over the policy's own draw and the arm's, smooth-igw with acceptance=igw plays every arm as often
// as gap weighting over all arms does, and a logged propensity is the frequency of its arm.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/explore/weighting.h"
#include "tests/product_fixture.h"

namespace handrail {
namespace {

constexpr std::uint64_t kSeeds = 20'000;
const std::vector<Factor> kShape = {{2, 1}, {3, 1}};  // 6 arms

struct Ending {
  double count = 0.0;
  std::optional<double> propensity;
};

// An agent that has learned nothing predicts alike for all; so its past is made first, the same for
// every seed, since those only draw.
std::string learned_state(const std::string& spec, const SmallProduct& product) {
  AgentSettings settings;
  settings.agent = spec;
  settings.layout = product.features().layout();
  Agent agent = Agent::make(settings).value();
  Workspace workspace;
  for (std::uint64_t t = 1; t <= 40; ++t) {
    const Round round = product.round(static_cast<ArmIndex>(t % 6));
    const Decision decision = agent.plan(round, workspace).value();
    agent.apply(decision);
    const double cost = 0.1 + 0.15 * static_cast<double>(decision.arm);
    agent.apply(agent.accept({.sequence = t, .cost = cost}).value());
  }
  return agent.state();
}

std::string with_seed(std::string state, const std::string& spec, std::uint64_t seed) {
  // Text length and text, three doubles, then the seed, little-endian.
  const std::size_t place = 8 + spec.size() + 3 * 8;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    state[place + byte] = static_cast<char>(seed >> (8 * byte) & 0xFF);
  }
  return state;
}

// 20,000 seeds; Hoeffding, six comparisons and 10^-6 in all: √(log(12e6)/(4·10^4)) < 0.0202.
TEST(SmoothIgwStatistics, PlaysEveryArmAsGapWeightingOverAllOfThemDoes) {
  const SmallProduct product(kShape, 6);
  const std::string spec =
      "smooth-igw:oracle=linear,loss=square,acceptance=igw,gamma=constant,"
      "gamma_scale=30,propensity_draws=0";
  const std::string state = learned_state(spec, product);
  const std::string full = Agent::from_state(state, "test").value().settings().agent;
  std::vector<Ending> endings(6);
  std::vector<double> costs(6, -1.0);
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Agent agent = Agent::from_state(with_seed(state, full, seed), "test").value();
    ASSERT_EQ(agent.settings().seed, seed);
    const Decision decision = agent.plan(product.round(4), workspace).value();
    Ending& ending = endings[decision.arm];
    ending.count += 1.0;
    if (decision.propensity.has_value()) ending.propensity = decision.propensity;
    for (std::size_t place = 0; place < workspace.support().size(); ++place) {
      costs[workspace.support()[place]] = workspace.predicted_costs()[place];
    }
  }
  const Distribution expected = weigh_absolute_gaps(costs, 30.0, {});
  for (ArmIndex arm = 0; arm < 6; ++arm) {
    EXPECT_NEAR(endings[arm].count / static_cast<double>(kSeeds), expected[arm], 0.0202) << arm;
    const bool greedy = arm == greedy_arm(costs);
    EXPECT_EQ(endings[arm].propensity.has_value(), !greedy);
    if (greedy) continue;
    EXPECT_NEAR(*endings[arm].propensity, expected[arm], 1e-12);
  }
}

}  // namespace
}  // namespace handrail
