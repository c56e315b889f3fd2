// The three networks of EE-Net, each alone.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "handrail/policy/ee_decider.h"
#include "handrail/policy/ee_exploiter.h"
#include "handrail/policy/ee_explorer.h"

namespace handrail {
namespace {

constexpr FeatureLayout kBlocks = {
    .shape = FeatureShape::kBlock, .feature_count = 3, .block_count = 4};
constexpr std::array kFeatures = {0.6, -0.8, 0.5};
constexpr ArmView kArm = {.features = kFeatures, .block = 2};
const RandomStream kStream(1, Purpose::kTest, 1);

TEST(Exploiter, StepsAgainstTheGradientOfTheSquaredError) {
  // A short step of rate η on (f − s)² moves f by −2η(f − s)|∇f|², for a saving s = 1 − cost.
  constexpr double kRate = 1e-7;
  Exploiter exploiter(
      {.unit_count = 20, .learning_rate = kRate, .fit = {.step_limit = 1}, .seed = 3}, kBlocks);
  std::vector<double> trace(exploiter.network().trace_size());
  const double before = exploiter.saving(kArm, trace);
  const double squared = exploiter.network().squared_gradient(kArm, trace);
  exploiter.add(kArm, 0.3);
  exploiter.train(kStream);
  const double moved = exploiter.saving(kArm, trace) - before;
  const double expected = -2.0 * kRate * (before - 0.7) * squared;
  EXPECT_GT(squared, 1.0);
  EXPECT_NEAR(moved / expected, 1.0, 1e-5);
}

TEST(Exploiter, EndsWhereTheLossIsEnough) {
  Exploiter exploiter({.unit_count = 20, .seed = 3}, kBlocks);
  std::vector<double> trace(exploiter.network().trace_size());
  exploiter.add(kArm, 0.25);
  exploiter.train(kStream);
  const double loss = std::pow(exploiter.saving(kArm, trace) - 0.75, 2.0);
  EXPECT_LE(loss, 1e-3);
  EXPECT_GT(loss, 1e-5);  // and not far below
}

// The targets are not bounded by [0, 1].
TEST(Explorer, LearnsWhatGradientsPromise) {
  const Exploiter exploiter({.unit_count = 20, .seed = 3}, kBlocks);
  Explorer explorer({.pool = 2, .unit_count = 30, .fit = {.step_limit = 4000, .enough = 1e-4}},
                    exploiter.network());
  std::vector<double> trace(exploiter.network().trace_size());
  std::vector<double> scratch(explorer.scratch_size());
  const std::array targets = {1.2, 0.4, 1.9, 1.0};
  for (std::size_t block = 0; block < 4; ++block) {
    const ArmView arm = {.features = kFeatures, .block = block};
    exploiter.saving(arm, trace);
    explorer.add(explorer.factors_of(arm, trace), targets[block]);
  }
  EXPECT_EQ(explorer.example_count(), 4u);
  explorer.train(kStream);
  for (std::size_t block = 0; block < 4; ++block) {
    const ArmView arm = {.features = kFeatures, .block = block};
    exploiter.saving(arm, trace);
    EXPECT_NEAR(explorer.promise(explorer.factors_of(arm, trace), scratch), targets[block], 0.05);
  }
}

// Adam's first step moves every parameter by the rate, whatever was learned before: its memory does
// not outlive a training.
TEST(Explorer, StartsEveryTrainingWithAFreshMemory) {
  const Exploiter exploiter({.unit_count = 20, .seed = 3}, kBlocks);
  const auto make = [&] {
    return Explorer({.pool = 2, .unit_count = 5, .fit = {.step_limit = 1}}, exploiter.network());
  };
  std::vector<double> trace(exploiter.network().trace_size());
  exploiter.saving(kArm, trace);
  Explorer one = make();
  one.add(one.factors_of(kArm, trace), 1.5);
  one.train(kStream);
  ByteWriter out;
  one.save(out);
  Explorer loaded = make();
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  one.train(kStream);
  loaded.train(kStream);
  std::vector<double> scratch(one.scratch_size());
  EXPECT_EQ(one.promise(one.factors_of(kArm, trace), scratch),
            loaded.promise(loaded.factors_of(kArm, trace), scratch));
}

TEST(Decider, LearnsSavingsFromBothNetworks) {
  Decider decider({.learning_rate = 0.01, .fit = {.step_limit = 5000}});
  decider.add({.saving = 0.2, .promise = 1.6}, 0.1);
  decider.add({.saving = 0.5, .promise = 0.9}, 0.8);
  decider.train(kStream);
  std::vector<double> trace(decider.trace_size());
  EXPECT_NEAR(decider.saving({.saving = 0.2, .promise = 1.6}, trace), 0.9, 0.05);
  EXPECT_NEAR(decider.saving({.saving = 0.5, .promise = 0.9}, trace), 0.2, 0.05);
}

}  // namespace
}  // namespace handrail
