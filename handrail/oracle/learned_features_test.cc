#include "handrail/oracle/learned_features.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "handrail/oracle/optimizer.h"

namespace handrail {
namespace {

constexpr FeatureLayout kOneNumber = {
    .shape = FeatureShape::kRows, .feature_count = 1, .block_count = 1};
constexpr FeatureLayout kBlocks = {
    .shape = FeatureShape::kBlock, .feature_count = 2, .block_count = 2};
const RandomStream kStream(1, Purpose::kTest, 1);

// A network of one unit that is on: z = w, f = vz with biases 0, so that v = f / z.
LearnedFeatures one_unit(double longest_gradient) {
  const std::array one = {1.0};
  for (std::uint64_t seed = 1;; ++seed) {
    LearnedFeatures features(
        {.unit_count = 1, .longest_gradient = longest_gradient, .batch = 3, .seed = seed},
        kOneNumber);
    std::vector<double> trace(features.trace_size());
    if (features.of({.features = one}, trace)[0] > 0.1) return features;
  }
}

// The output after a step of RMSProp along the gradient 2(f − y)·(v, v, z, 1) of w, b, v and c, cut
// to a length.
double output_after_step(double z, double v, double cost, double longest) {
  std::vector<double> parameters = {z, 0.0, v, 0.0};
  const double slope = 2.0 * (v * z - cost);
  std::vector<double> gradient = {slope * v, slope * v, slope * z, slope};
  double norm = 0.0;
  for (const double g : gradient) norm += g * g;
  norm = std::sqrt(norm);
  std::vector<double> squares(4, 1.0);
  rmsprop_step({.rate = 0.1, .factor = norm > longest ? longest / norm : 1.0}, gradient, squares,
               parameters);
  return (parameters[0] + parameters[1]) * parameters[2] + parameters[3];
}

TEST(LearnedFeatures, MakesOneStepByHand) {
  for (const double longest : {5.0, 0.1}) {
    LearnedFeatures features = one_unit(longest);
    const std::array one = {1.0};
    const ArmView arm = {.features = one};
    std::vector<double> trace(features.trace_size());
    const double z = features.of(arm, trace)[0];
    const double v = features.output(arm, trace) / z;
    ReplayBuffer examples(4, kOneNumber);
    examples.push({.arm = arm, .cost = 0.8});
    features.train(examples, 1, kStream);
    EXPECT_NEAR(features.output(arm, trace), output_after_step(z, v, 0.8, longest), 1e-12);
  }
}

// The rate falls within a training and starts again in the next: two trainings of one step move
// more than one of two.
TEST(LearnedFeatures, RateFallsWithinATrainingOnly) {
  const std::array one = {1.0};
  const ArmView arm = {.features = one};
  ReplayBuffer examples(4, kOneNumber);
  examples.push({.arm = arm, .cost = 1.0});
  LearnedFeatures once = one_unit(5.0);
  LearnedFeatures twice = one_unit(5.0);
  std::vector<double> trace(once.trace_size());
  once.train(examples, 2, kStream);
  twice.train(examples, 1, kStream);
  twice.train(examples, 1, kStream);
  EXPECT_GT(twice.output(arm, trace), once.output(arm, trace));
}

ReplayBuffer some_examples() {
  ReplayBuffer examples(200, kBlocks);
  for (std::uint64_t i = 0; i < 200; ++i) {
    RandomStream stream(3, Purpose::kTest, i);
    const std::array features = {stream.normal(), stream.normal()};
    const std::size_t block = i % 2;
    const bool cheap = (features[0] > 0.0) == (block == 0);
    examples.push({.arm = {.features = features, .block = block}, .cost = cheap ? 0.1 : 0.9});
  }
  return examples;
}

double mean_loss(const LearnedFeatures& features, const ReplayBuffer& examples) {
  std::vector<double> trace(features.trace_size());
  double sum = 0.0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example example = examples.slot(i);
    sum += std::pow(features.output(example.arm, trace) - example.cost, 2.0);
  }
  return sum / static_cast<double>(examples.size());
}

TEST(LearnedFeatures, LearnsAndGoesOnAfterALoadWithTheSameBits) {
  const ReplayBuffer examples = some_examples();
  const LearnedFeaturesConfig config = {.unit_count = 8, .batch = 64, .seed = 2};
  LearnedFeatures features(config, kBlocks);
  features.train(examples, 200, kStream);
  EXPECT_LT(mean_loss(features, examples), 0.05);  // a constant has 0.16
  ByteWriter out;
  features.save(out);
  LearnedFeatures loaded(config, kBlocks);
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  features.train(examples, 10, kStream);
  loaded.train(examples, 10, kStream);
  EXPECT_EQ(mean_loss(loaded, examples), mean_loss(features, examples));
}

}  // namespace
}  // namespace handrail
