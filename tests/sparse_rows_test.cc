// A shared row may come as a list of what is not 0. Whoever reads lists and whoever needs all
// numbers then decides what the whole row would have made it decide, and ends in the same state.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/base/random.h"

namespace handrail {
namespace {

constexpr std::size_t kArms = 3;
constexpr std::size_t kFew = 5;  // so few that nobody lists them
constexpr std::size_t kMany = 50;
constexpr std::uint64_t kRounds = 60;

std::vector<double> row_of(RandomStream& stream, std::size_t size) {
  std::vector<double> row(size);
  for (double& value : row) value = stream.below(4) == 0 ? 0.1 * stream.normal() : 0.0;
  return row;
}

// Every seventh cost never comes.
class Twin {
 public:
  Twin(const std::string& spec, std::size_t feature_count)
      : agent_(Agent::make({.agent = spec, .layout = {FeatureShape::kBlock, feature_count, kArms}})
                   .value()) {}

  ArmIndex play(const ArmFeatures& features) {
    const Round round = Round::make(features, {.arm = 1, .cost = 0.8}).value();
    const Decision decision = agent_.plan(round, workspace_).value();
    agent_.apply(decision);
    return decision.arm;
  }
  void answer(std::uint64_t t, double cost) {
    if (t % 7 != 0) agent_.apply(agent_.accept({.sequence = t, .cost = cost}).value());
  }
  std::string state() const { return agent_.state(); }

 private:
  Agent agent_;
  Workspace workspace_;
};

class SparseRows : public ::testing::TestWithParam<std::string> {};

TEST_P(SparseRows, AreTheRowsTheyWereMadeOf) {
  for (const std::size_t feature_count : {kFew, kMany}) {
    SCOPED_TRACE(std::to_string(feature_count) + " features");
    Twin whole(GetParam(), feature_count);
    Twin sparse(GetParam(), feature_count);
    SparseRow list;
    for (std::uint64_t t = 1; t <= kRounds; ++t) {
      RandomStream stream(1, Purpose::kTest, t);
      const std::vector<double> row = row_of(stream, feature_count);
      list.list(row);
      const ArmIndex arm = whole.play(ArmFeatures::block(row, kArms));
      ASSERT_EQ(sparse.play(ArmFeatures::sparse_block(list, kArms)), arm) << "round " << t;
      list.clear();  // an agent keeps what it needs of it
      const double cost = stream.uniform() < 0.3 * (1.0 + arm) ? 1.0 : 0.0;
      whole.answer(t, cost);
      sparse.answer(t, cost);
    }
    EXPECT_EQ(sparse.state(), whole.state());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Agents, SparseRows,
    ::testing::Values("squarecb:oracle=linear", "c-squarecb:oracle=linear", "greedy:oracle=linear",
                      "c-squarecb:oracle=linear,gate=certified-dr", "c-squarecb:oracle=ridge",
                      "c-squarecb:width=8,batch=4", "c-linucb", "c-linucb2", "c-lints",
                      "neural-ucb:hidden=8", "ee-net:units=6,pool=3,train_steps=10", "uniform",
                      "baseline"));

}  // namespace
}  // namespace handrail
