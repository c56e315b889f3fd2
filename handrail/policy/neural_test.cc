#include "handrail/policy/neural.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "handrail/explore/weighting.h"
#include "handrail/oracle/trainer.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kArms;
using mlp_fixture::kBlocks;
using mlp_fixture::kRows;
using mlp_fixture::RoundFeatures;

NeuralConfig small(NeuralChoice choice) {
  NeuralConfig config{.choice = choice,
                      .nu = 0.3,
                      .ridge = 0.02,
                      .training = {.steps = 15, .until = 5, .every = 3, .memory = 12},
                      .hidden = 9,
                      .step = 0.05,
                      .isa = supported_isas().back(),
                      .seed = 5};
  if (choice == NeuralChoice::kDraw) config.training.kind = NeuralSteps::kWhole;
  return config;
}

NeuralConfig without_training(NeuralChoice choice) {
  NeuralConfig config = small(choice);
  config.training.until = 0;
  config.training.every = 1'000'000;
  return config;
}

Proposal proposed(const Policy& policy, const RoundFeatures& round, std::uint64_t sequence = 1) {
  Proposal out;
  policy.propose(Round::make(round.features(), {.arm = 0, .cost = 0.5}).value(), {},
                 RandomStream(8, Purpose::kPolicy, sequence), out);
  return out;
}

void teach(Policy& policy, const FeatureLayout& layout, std::uint64_t from, std::uint64_t count) {
  for (std::uint64_t i = from; i < from + count; ++i) {
    const RoundFeatures round(layout, i);
    policy.learn({.features = round.arm(), .cost = round.cost});
  }
}

// μ and σ of a policy that has trained on nothing, by the reference in double.
struct Beliefs {
  std::vector<double> outputs = std::vector<double>(kArms);
  std::vector<double> deviations = std::vector<double>(kArms);
};
Beliefs beliefs_of(const NeuralConfig& config, std::uint64_t met, const RoundFeatures& round) {
  const FeatureLayout layout = round.features().layout();
  const auto trainer = make_reference_trainer(network_of(config), layout);
  for (std::uint64_t i = 0; i < met; ++i) trainer->meet(RoundFeatures(layout, i).arm());
  Beliefs beliefs;
  Scratch scratch;
  trainer->measure(round.features(),
                   {.outputs = beliefs.outputs, .squared_norms = beliefs.deviations}, scratch);
  for (double& norm : beliefs.deviations) norm = std::sqrt(config.ridge * config.nu * norm);
  return beliefs;
}

TEST(NeuralUcb, PlaysTheLeastOutputMinusDeviation) {
  const NeuralConfig config = without_training(NeuralChoice::kBound);
  for (const FeatureLayout& layout : {kBlocks, kRows}) {
    const auto policy = make_neural(config, layout);
    teach(*policy, layout, 0, 10);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const RoundFeatures round(layout, 500 + i);
      const Beliefs beliefs = beliefs_of(config, 10, round);
      const Proposal proposal = proposed(*policy, round);
      for (std::size_t arm = 0; arm < kArms; ++arm) {
        EXPECT_NEAR(proposal.indices[arm], beliefs.outputs[arm] - beliefs.deviations[arm], 1e-5);
        EXPECT_NEAR(proposal.costs[arm], std::clamp(beliefs.outputs[arm], 0.0, 1.0), 1e-5);
      }
      EXPECT_EQ(proposal.distribution[greedy_arm(proposal.indices)], 1.0);
      EXPECT_EQ(proposal.chances, Chances::kExact);
      EXPECT_FALSE(proposal.gamma.has_value());
    }
  }
}

// The network of the example by hand in fast_diagonal_test.cc: f = 9.5 and |g|² = 28, with U from
// λ = 0.5. σ = √(λν·28/λ) = √(28ν), and after one observation √(λν(27/9.5 + 1/1.5)).
TEST(NeuralUcb, FollowsAnExampleByHand) {
  NeuralConfig config = without_training(NeuralChoice::kBound);
  config.hidden = 1;
  config.nu = 2.0;
  config.ridge = 0.5;
  const FeatureLayout layout{FeatureShape::kRows, 1, 1};
  ByteWriter weights;
  weights.doubles(std::vector<double>{2.0});
  weights.doubles(std::vector<double>{1.0});
  weights.doubles(std::vector<double>{3.0, 0.5});
  weights.doubles({});
  weights.doubles({});
  weights.doubles(std::vector<double>(3 * kSegmentAlignment, 0.5));
  weights.u64(0);  // no examples
  weights.doubles({});
  weights.doubles({});
  const std::vector<double> row = {1.0};
  const Round round = Round::make(ArmFeatures::rows(row, 1), {.arm = 0, .cost = 0.5}).value();
  for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
    config.precision = precision;
    const auto policy = make_neural(config, layout);
    ByteReader in(weights.bytes());
    const Status loaded = policy->load(in);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    Proposal out;
    const RandomStream stream(1, Purpose::kPolicy, 1);
    policy->propose(round, {}, stream, out);
    EXPECT_NEAR(out.indices[0], 9.5 - std::sqrt(56.0), 1e-5);
    EXPECT_EQ(out.costs[0], 1.0);
    policy->learn({.features = {row, 0}, .cost = 1.0});
    policy->propose(round, {}, stream, out);
    EXPECT_NEAR(out.indices[0], 9.5 - std::sqrt(27.0 / 9.5 + 1.0 / 1.5), 1e-5);
  }
}

TEST(NeuralUcb, TrainsOnScheduleAndLearnsWhatItIsTaught) {
  NeuralConfig config = small(NeuralChoice::kBound);
  config.nu = 0.0;
  config.ridge = 1e-6;
  config.training = {.steps = 50, .until = 2, .every = 5, .memory = 100};
  const auto policy = make_neural(config, kBlocks);
  const RoundFeatures round(kBlocks, 1);
  std::vector<double> before = proposed(*policy, round).indices;
  for (std::uint64_t learned = 1; learned <= 20; ++learned) {
    policy->learn({.features = round.features().arm(2), .cost = 0.8});
    const std::vector<double> after = proposed(*policy, round).indices;
    EXPECT_EQ(before != after, learned <= 2 || learned % 5 == 0) << learned;
    before = after;
  }
  EXPECT_NEAR(before[2], 0.8, 0.05);
}

// An epoch of small loss ends a training: steps beyond the first two would move the weights on.
TEST(NeuralUcb, EndsATrainingAfterAGoodEpoch) {
  NeuralConfig config = small(NeuralChoice::kBound);
  config.ridge = 1e-9;
  config.training = {.steps = 100'000, .until = 0, .every = 2, .memory = 100};
  const auto patient = make_neural(config, kBlocks);
  const RoundFeatures round(kBlocks, 1);
  for (int i = 0; i < 2; ++i) patient->learn({.features = round.features().arm(2), .cost = 0.8});
  const double cost = proposed(*patient, round).costs[2];
  EXPECT_LT((cost - 0.8) * (cost - 0.8), 1e-3);
  EXPECT_GT((cost - 0.8) * (cost - 0.8), 1e-6);  // it did not go on to the limit of float
}

TEST(NeuralTs, PlaysTheBestOfOneDrawWhoseChanceNobodyKnows) {
  const NeuralConfig config = without_training(NeuralChoice::kDraw);
  const auto policy = make_neural(config, kBlocks);
  const RoundFeatures round(kBlocks, 500);
  const Beliefs beliefs = beliefs_of(config, 0, round);
  const Proposal proposal = proposed(*policy, round, 7);
  RandomStream stream(8, Purpose::kPolicy, 7);
  for (std::size_t arm = 0; arm < kArms; ++arm) {
    const double draw = beliefs.outputs[arm] - beliefs.deviations[arm] * stream.normal();
    EXPECT_NEAR(proposal.indices[arm], draw, 1e-5);
  }
  EXPECT_EQ(proposal.distribution[greedy_arm(proposal.indices)], 1.0);
  EXPECT_EQ(proposal.chances, Chances::kUnknown);
  EXPECT_NE(proposed(*policy, round, 8).indices, proposal.indices);
}

// Two arms: one wins with chance Φ((μ_1 − μ_0) / √(σ_0² + σ_1²)). 10^5 draws are within 0.0086 of
// it but for a chance of 1e-6 (Hoeffding).
TEST(NeuralTs, EstimatesChancesFromManyDraws) {
  NeuralConfig config = without_training(NeuralChoice::kDraw);
  config.draws = 100'000;
  const FeatureLayout layout{FeatureShape::kBlock, 3, 2};
  const auto policy = make_neural(config, layout);
  const std::vector<double> row = {0.9, -0.3, 0.5};
  for (int i = 0; i < 4; ++i) policy->learn({.features = {row, 1}, .cost = 1.0});
  const auto trainer = make_reference_trainer(network_of(config), layout);
  for (int i = 0; i < 4; ++i) trainer->meet({row, 1});
  std::vector<double> outputs(2);
  std::vector<double> norms(2);
  Scratch scratch;
  const ArmFeatures features = ArmFeatures::block(row, 2);
  trainer->measure(features, {outputs, norms}, scratch);
  const double spread = std::sqrt(config.ridge * config.nu * (norms[0] + norms[1]));
  const double chance = 0.5 * std::erfc(-(outputs[1] - outputs[0]) / spread / std::sqrt(2.0));
  Proposal out;
  policy->propose(Round::make(features, {.arm = 0, .cost = 0.5}).value(), {},
                  RandomStream(8, Purpose::kPolicy, 1), out);
  EXPECT_EQ(out.chances, Chances::kEstimated);
  EXPECT_TRUE(out.indices.empty());
  EXPECT_GT(chance, 0.05);
  EXPECT_LT(chance, 0.95);
  EXPECT_NEAR(out.distribution[0], chance, 0.0086);
  EXPECT_TRUE(Distribution::sum_to_one(out.distribution.probabilities()));
}

// A cost for all examples at once, and weight decay λ / n: as the trainer does it.
TEST(NeuralTs, TrainsOnAllExamplesAtOnce) {
  NeuralConfig config = small(NeuralChoice::kDraw);
  config.precision = Precision::kDouble;
  config.draws = 2;
  config.training.until = 0;
  config.training.every = 3;
  const auto policy = make_neural(config, kBlocks);
  const auto trainer = make_reference_trainer(network_of(config), kBlocks);
  std::vector<RoundFeatures> rounds;
  for (std::uint64_t i = 0; i < 3; ++i) rounds.emplace_back(kBlocks, i);
  std::vector<Example> examples;
  for (const RoundFeatures& round : rounds) examples.push_back({round.arm(), round.cost});
  teach(*policy, kBlocks, 0, 3);
  for (int i = 0; i < 15; ++i) trainer->descend(examples, {.decay = config.ridge / 3.0});
  const RoundFeatures round(kBlocks, 77);
  std::vector<double> outputs(kArms);
  Scratch scratch;
  trainer->outputs(round.features(), outputs, scratch);
  const Proposal proposal = proposed(*policy, round);
  for (std::size_t arm = 0; arm < kArms; ++arm) {
    EXPECT_NEAR(proposal.costs[arm], std::clamp(outputs[arm], 0.0, 1.0), 1e-12);
  }
}

std::vector<NeuralConfig> every_kind() {
  NeuralConfig many = small(NeuralChoice::kDraw);
  many.draws = 16;
  NeuralConfig reference = small(NeuralChoice::kBound);
  reference.precision = Precision::kDouble;
  return {small(NeuralChoice::kBound), small(NeuralChoice::kDraw), many, reference};
}

void expect_the_same(const Policy& one, const Policy& other, const FeatureLayout& layout) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    const RoundFeatures round(layout, 900 + i);
    const Proposal a = proposed(one, round, i);
    const Proposal b = proposed(other, round, i);
    EXPECT_EQ(a.costs, b.costs);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_TRUE(std::ranges::equal(a.distribution.probabilities(), b.distribution.probabilities()));
  }
}

TEST(Neural, IsAFunctionOfSeedAndObservations) {
  for (const NeuralConfig& config : every_kind()) {
    const auto one = make_neural(config, kBlocks);
    const auto other = make_neural(config, kBlocks);
    teach(*one, kBlocks, 0, 40);
    teach(*other, kBlocks, 0, 40);
    expect_the_same(*one, *other, kBlocks);
    NeuralConfig reseeded = config;
    reseeded.seed = 6;
    const RoundFeatures round(kBlocks, 900);
    EXPECT_NE(proposed(*make_neural(reseeded, kBlocks), round).costs,
              proposed(*make_neural(config, kBlocks), round).costs);
  }
}

// What is learned after loading needs weights, diagonal and examples alike.
TEST(Neural, GoesOnFromASavedState) {
  for (const NeuralConfig& config : every_kind()) {
    for (const FeatureLayout& layout : {kBlocks, kRows}) {
      const auto policy = make_neural(config, layout);
      teach(*policy, layout, 0, 31);
      ByteWriter out;
      policy->save(out);
      const auto copy = make_neural(config, layout);
      ByteReader in(out.bytes());
      ASSERT_TRUE(copy->load(in).ok());
      EXPECT_TRUE(in.at_end());
      expect_the_same(*policy, *copy, layout);
      teach(*policy, layout, 31, 30);
      teach(*copy, layout, 31, 30);
      expect_the_same(*policy, *copy, layout);
    }
  }
}

TEST(Neural, RefusesAStateThatIsCutOffAndStaysAsItWas) {
  const NeuralConfig config = small(NeuralChoice::kBound);
  const auto policy = make_neural(config, kBlocks);
  teach(*policy, kBlocks, 0, 20);
  ByteWriter out;
  policy->save(out);
  const auto fresh = make_neural(config, kBlocks);
  for (std::size_t size = 0; size < out.bytes().size(); size += 97) {
    ByteReader in(out.bytes().substr(0, size));
    EXPECT_FALSE(fresh->load(in).ok()) << size;
  }
  expect_the_same(*fresh, *make_neural(config, kBlocks), kBlocks);
}

TEST(NeuralUcb, PermutesWithTheArms) {
  const auto policy = make_neural(small(NeuralChoice::kBound), kRows);
  teach(*policy, kRows, 0, 20);
  RandomStream stream(2, Purpose::kTest, 0);
  std::vector<double> rows(4 * kRows.feature_count);
  for (double& value : rows) value = stream.normal();
  std::vector<double> turned(rows);
  const auto second = turned.begin() + static_cast<std::ptrdiff_t>(kRows.feature_count);
  std::rotate(turned.begin(), second, turned.end());
  const auto indices = [&](const std::vector<double>& values) {
    Proposal out;
    policy->propose(
        Round::make(ArmFeatures::rows(values, kRows.feature_count), {.arm = 0, .cost = 0.5})
            .value(),
        {}, RandomStream(8, Purpose::kPolicy, 1), out);
    return out.indices;
  };
  std::vector<double> expected = indices(rows);
  std::rotate(expected.begin(), expected.begin() + 1, expected.end());
  EXPECT_EQ(indices(turned), expected);
}

// A step of 10^6 blows the network up. It must look expensive, and nothing may stop working.
TEST(Neural, LooksExpensiveOnceItHasDiverged) {
  NeuralConfig config = small(NeuralChoice::kBound);
  config.step = 1e6;
  const auto policy = make_neural(config, kBlocks);
  teach(*policy, kBlocks, 0, 60);
  const Proposal proposal = proposed(*policy, RoundFeatures(kBlocks, 900));
  for (const double index : proposal.indices) EXPECT_EQ(index, 1.0);
  for (const double cost : proposal.costs) EXPECT_EQ(cost, 1.0);
}

std::string refusal(const PolicyEntry& entry, std::string_view name, std::string_view text) {
  for (const ParameterSpec& spec : entry.parameters) {
    if (spec.name != name) continue;
    const Result<ParameterValue> value = parse_value(spec, text);
    return value.ok() ? "" : value.error().message;
  }
  return "no such parameter";
}

TEST(Neural, RefusesParametersWithASentence) {
  EXPECT_EQ(refusal(kNeuralUcbPolicy, "ridge", "0"),
            "ridge is \"0\"; a number in [1e-12, 1e+09] was expected");
  EXPECT_EQ(refusal(kNeuralUcbPolicy, "hidden", "2.5"),
            "hidden is \"2.5\"; a whole number in [1, 1e+06] was expected");
  for (const PolicyEntry* entry : {&kNeuralUcbPolicy, &kNeuralTsPolicy}) {
    EXPECT_NE(refusal(*entry, "nu", "-1"), "");
    EXPECT_NE(refusal(*entry, "step", "0"), "");
    EXPECT_NE(refusal(*entry, "train_steps", "0"), "");
    EXPECT_NE(refusal(*entry, "train_every", "0"), "");
    EXPECT_NE(refusal(*entry, "memory", "0"), "");
    EXPECT_EQ(refusal(*entry, "train_until", "0"), "");
    for (const ParameterSpec& spec : entry->parameters) {
      EXPECT_EQ(refusal(*entry, spec.name, spec.fallback), "") << spec.name;
    }
  }
  EXPECT_NE(refusal(kNeuralTsPolicy, "draws", "0"), "");
}

}  // namespace
}  // namespace handrail
