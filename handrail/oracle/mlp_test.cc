#include "handrail/oracle/mlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "handrail/base/random.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::every_kind;
using mlp_fixture::kBlocks;
using mlp_fixture::kFeatures;
using mlp_fixture::kInfinity;
using mlp_fixture::kRows;
using mlp_fixture::learn;
using mlp_fixture::papers;
using mlp_fixture::plain;
using mlp_fixture::predictions;
using mlp_fixture::RoundFeatures;
using mlp_fixture::saved;

TEST(Mlp, PredictsInRangeWhateverItLearned) {
  for (const FeatureLayout& layout : {kRows, kBlocks}) {
    for (const MlpConfig& config : every_kind()) {
      const auto oracle = make_mlp(config, layout);
      const double edge = config.loss == Loss::kLog ? kLogLossEdge : 0.0;
      for (std::uint64_t i = 0; i < 60; ++i) {
        const RoundFeatures round(layout, i);
        for (const double cost : predictions(*oracle, round.features())) {
          ASSERT_GE(cost, edge);
          ASSERT_LE(cost, 1.0 - edge);
        }
        oracle->update(round.arm(), i % 2 == 0 ? 0.0 : 1.0);
      }
      EXPECT_FALSE(oracle->regret_bound().has_value());
    }
  }
}

TEST(Mlp, IsAFunctionOfItsSeedAndWhatItLearned) {
  for (MlpConfig config : every_kind()) {
    const auto one = make_mlp(config, kBlocks);
    const auto same = make_mlp(config, kBlocks);
    config.seed = 6;
    const auto other = make_mlp(config, kBlocks);
    learn(*one, kBlocks, 0, 45);
    learn(*same, kBlocks, 0, 45);
    learn(*other, kBlocks, 0, 45);
    EXPECT_EQ(saved(*one), saved(*same));
    EXPECT_NE(saved(*one), saved(*other));
  }
}

TEST(Mlp, PredictsEachArmByItself) {
  const auto oracle = make_mlp({.widths = {9}}, kRows);
  learn(*oracle, kRows, 0, 30);
  const RoundFeatures round(kRows, 77);
  const std::vector<double> costs = predictions(*oracle, round.features());
  std::vector<double> turned = round.values;
  std::rotate(turned.begin(), turned.begin() + kFeatures, turned.end());
  std::vector<double> turned_costs = predictions(*oracle, ArmFeatures::rows(turned, kFeatures));
  std::rotate(turned_costs.begin(), turned_costs.end() - 1, turned_costs.end());
  EXPECT_EQ(costs, turned_costs);
}

TEST(Mlp, ASmallStepLowersTheLossOfItsExample) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    int lowered = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      MlpConfig config = plain(Update::kOnline);
      config.loss = loss;
      config.learning_rate = 1e-3;
      config.seed = seed;
      const auto oracle = make_mlp(config, kBlocks);
      const RoundFeatures round(kBlocks, seed);
      const double before = predictions(*oracle, round.features())[round.played];
      if (before == 0.0 || before == 1.0 || std::abs(before - round.cost) < 1e-3) continue;
      oracle->update(round.arm(), round.cost);
      const double after = predictions(*oracle, round.features())[round.played];
      EXPECT_LT(std::abs(after - round.cost), std::abs(before - round.cost));
      ++lowered;
    }
    EXPECT_GT(lowered, 20);
  }
}

TEST(Mlp, ContinuesAfterLoadWithTheSameBits) {
  for (const FeatureLayout& layout : {kRows, kBlocks}) {
    for (const MlpConfig& config : every_kind()) {
      const auto one = make_mlp(config, layout);
      learn(*one, layout, 0, 37);  // in the middle of a period, and with a ring that has wrapped
      const auto other = make_mlp(config, layout);
      learn(*other, layout, 50, 55);  // load replaces all of it
      const std::string bytes = saved(*one);
      ByteReader in(bytes);
      ASSERT_TRUE(other->load(in).ok());
      EXPECT_TRUE(in.at_end());
      learn(*one, layout, 37, 75);
      learn(*other, layout, 37, 75);
      EXPECT_EQ(saved(*one), saved(*other));
      const RoundFeatures probe(layout, 1000);
      EXPECT_EQ(predictions(*one, probe.features()), predictions(*other, probe.features()));
    }
  }
}

TEST(Mlp, RefusesEveryTruncatedSaveAndStaysAsItWas) {
  for (MlpConfig config : every_kind()) {
    config.widths = {2};
    const auto oracle = make_mlp(config, kBlocks);
    learn(*oracle, kBlocks, 0, 7);
    const std::string bytes = saved(*oracle);
    const auto other = make_mlp(config, kBlocks);
    const std::string before = saved(*other);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      ByteReader in(std::string_view(bytes).substr(0, length));
      ASSERT_FALSE(other->load(in).ok()) << length << " of " << bytes.size() << " bytes";
    }
    EXPECT_EQ(saved(*other), before);
  }
}

// Whatever a flipped byte turns into, it is refused or it is a network that predicts in range.
TEST(Mlp, SurvivesGarbledSaves) {
  for (MlpConfig config : every_kind()) {
    config.widths = {2};
    const auto oracle = make_mlp(config, kBlocks);
    learn(*oracle, kBlocks, 0, 7);
    const std::string bytes = saved(*oracle);
    RandomStream stream(3, Purpose::kTest, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string garbled = bytes;
      garbled[i] = static_cast<char>(garbled[i] ^ static_cast<char>(1 + stream.below(255)));
      const auto other = make_mlp(config, kBlocks);
      ByteReader in(garbled);
      if (!other->load(in).ok()) continue;
      learn(*other, kBlocks, 7, 11);
      for (const double cost : predictions(*other, RoundFeatures(kBlocks, 8).features())) {
        ASSERT_TRUE(cost >= 0.0 && cost <= 1.0) << "byte " << i;
      }
    }
  }
}

TEST(Mlp, ADivergedNetworkPredictsTheHighestCost) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    MlpConfig config = plain(Update::kOnline);
    config.activation = Activation::kRelu;
    config.loss = loss;
    config.learning_rate = 1e200;
    const auto oracle = make_mlp(config, kRows);
    learn(*oracle, kRows, 0, 40);
    const double highest = loss == Loss::kLog ? 1.0 - kLogLossEdge : 1.0;
    for (const double cost : predictions(*oracle, RoundFeatures(kRows, 1000).features())) {
      EXPECT_EQ(cost, highest);
    }
  }
}

// A deterministic function that no linear model fits: whether two features have the same sign,
// softly. Its variance is 0.1; a network that has learned it is well below.
double target_cost(std::span<const double> x) {
  return 0.5 + 0.5 * std::tanh(2.0 * x[0] * x[1]);
}

double mean_squared_error(const Oracle& oracle, double& variance) {
  double error = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kRounds = 300;
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    const RoundFeatures round(kRows, 5000 + i);
    const double cost = target_cost(round.arm().features);
    error += std::pow(predictions(oracle, round.features())[round.played] - cost, 2) / kRounds;
    sum += cost / kRounds;
    squares += cost * cost / kRounds;
  }
  variance = squares - sum * sum;
  return error;
}

TEST(Mlp, LearnsWhatIsNotLinear) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    const auto oracle = make_mlp({.loss = loss, .seed = 1}, kRows);
    for (std::uint64_t i = 0; i < 1500; ++i) {
      const RoundFeatures round(kRows, i);
      oracle->update(round.arm(), target_cost(round.arm().features));
    }
    double variance = 0.0;
    const double error = mean_squared_error(*oracle, variance);
    EXPECT_LT(error, 0.1 * variance) << "loss " << static_cast<int>(loss);
  }
}

TEST(Mlp, ThePapersNetworkLearnsToo) {
  MlpConfig config = papers(Loss::kSquare);
  config.widths = {100};
  config.update = Update::kOnline;
  config.learning_rate = 0.1;
  config.rho = config.rho_1 = kInfinity;
  const auto oracle = make_mlp(config, kRows);
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const RoundFeatures round(kRows, i);
    oracle->update(round.arm(), target_cost(round.arm().features));
  }
  double variance = 0.0;
  const double error = mean_squared_error(*oracle, variance);
  EXPECT_LT(error, 0.5 * variance);
}

}  // namespace
}  // namespace handrail
