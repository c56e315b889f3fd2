#include "handrail/oracle/kernels/linear_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "handrail/base/random.h"
#include "tests/linear_reference.h"

namespace handrail {
namespace {

struct Sample {
  FeatureLayout layout;
  double zero_share = 0.0;
};

// Numbers of arms and of features on both sides of every vector width and of what the kernels take
// at once; few zeros and many.
std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const std::size_t arm_count : {1U, 2U, 3U, 7U, 8U, 10U, 26U, 33U, 70U}) {
    for (const std::size_t feature_count : {1U, 5U, 17U, 32U, 40U, 300U}) {
      for (const double zero_share : {0.0, 0.3, 0.8}) {
        all.push_back({{FeatureShape::kBlock, feature_count, arm_count}, zero_share});
      }
    }
  }
  for (const std::size_t feature_count : {1U, 3U, 8U, 17U, 40U, 300U}) {
    for (const double zero_share : {0.0, 0.3, 0.8}) {
      all.push_back({{FeatureShape::kRows, feature_count, 1}, zero_share});
    }
  }
  return all;
}

// Features of very different scales, so that scales grow now and then.
std::vector<double> random_values(RandomStream& stream, std::size_t size, double zero_share) {
  std::vector<double> values(size);
  for (double& value : values) {
    if (stream.uniform() < zero_share) continue;
    value = stream.normal() * (stream.below(20) == 0 ? 10.0 : 1.0);
  }
  return values;
}

std::vector<double> predict(const Oracle& oracle, const ArmFeatures& features) {
  std::vector<double> costs(features.arm_count(), -1.0);
  Scratch scratch;
  oracle.predict(features, costs, scratch);
  return costs;
}

void expect_near(const std::vector<double>& fast, const std::vector<double>& reference) {
  constexpr double kTolerance = 1e-11;
  ASSERT_EQ(fast.size(), reference.size());
  for (std::size_t arm = 0; arm < fast.size(); ++arm) {
    ASSERT_NEAR(fast[arm], reference[arm], kTolerance) << "arm " << arm;
  }
}

void compare_with_reference(const Sample& sample, const LinearConfig& config) {
  const FeatureLayout& layout = sample.layout;
  RandomStream stream(layout.feature_count, Purpose::kTest, 30 + layout.block_count);
  const auto fast = make_linear(config, layout);
  LinearReference plain(config, layout);
  const bool is_block = layout.shape == FeatureShape::kBlock;
  for (std::size_t t = 0; t < 40; ++t) {
    const std::size_t row_count = is_block ? 1 : 1 + stream.below(20);
    const std::vector<double> values =
        random_values(stream, row_count * layout.feature_count, sample.zero_share);
    const ArmFeatures features = is_block ? ArmFeatures::block(values, layout.block_count)
                                          : ArmFeatures::rows(values, layout.feature_count);
    ASSERT_NO_FATAL_FAILURE(expect_near(predict(*fast, features), plain.predict(features)))
        << "round " << t;
    const auto arm = static_cast<ArmIndex>(stream.below(features.arm_count()));
    const double cost = stream.below(2) == 0 ? stream.uniform() : 1.0;
    fast->update(features.arm(arm), cost);
    plain.update(features.arm(arm), cost);
  }
}

void compare_with_reference(const LinearConfig& config) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(describe(sample.layout) + ", zeros " + std::to_string(sample.zero_share));
    ASSERT_NO_FATAL_FAILURE(compare_with_reference(sample, config));
  }
}

TEST(LinearKernels, AgreeWithTheReferenceOnEveryInstructionSet) {
  for (const Isa isa : supported_isas()) {
    SCOPED_TRACE(to_text(isa));
    for (const LinearConfig& config :
         {LinearConfig{.loss = Loss::kSquare, .learning_rate = 0.7, .isa = isa},
          LinearConfig{.loss = Loss::kLog, .learning_rate = 0.7, .isa = isa},
          LinearConfig{.loss = Loss::kLog, .learning_rate = 2.0, .ceiling = 0.7, .isa = isa}}) {
      SCOPED_TRACE("ceiling " + std::to_string(config.ceiling));
      ASSERT_NO_FATAL_FAILURE(compare_with_reference(config));
    }
  }
}

// A feature larger than its scale must change nothing, for the caller will ask again.
TEST(LinearKernels, RefuseAFeatureLargerThanItsScale) {
  for (const Isa isa : supported_isas()) {
    SCOPED_TRACE(to_text(isa));
    alignas(64) double rows[4][kLinearPadding] = {};
    const LinearBlock block = {.weights = rows[0],
                               .weight_stride = 1,
                               .inverse_scales = rows[1],
                               .gradient_sums = rows[2],
                               .pushes = rows[3]};
    for (std::size_t i = 0; i < 3; ++i) rows[1][i] = 0.5;
    constexpr LinearSettings kSettings = {.learning_rate = 0.5, .ceiling = 1.0};
    LinearTotals totals;
    const LinearKernels& kernels = linear_kernels(isa, Loss::kSquare);
    const std::vector<double> large = {1.0, 1.0, -2.1};
    SparseRow list;
    const auto learn = [&](const std::vector<double>& features) {
      list.list(features);
      return kernels.learn(block, {.features = list.view(), .cost = 1.0}, kSettings, totals);
    };
    EXPECT_FALSE(learn(large));
    EXPECT_EQ(totals.example_count, 0.0);
    EXPECT_EQ(rows[0][0], 0.0);
    EXPECT_EQ(rows[2][0], 0.0);
    const std::vector<double> fitting = {1.0, 1.0, -2.0};
    EXPECT_TRUE(learn(fitting));
    EXPECT_EQ(totals.example_count, 1.0);
    EXPECT_GT(rows[0][0], 0.0);
    EXPECT_LT(rows[0][2], 0.0);
  }
}

}  // namespace
}  // namespace handrail
