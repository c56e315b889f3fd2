#include "handrail/oracle/mlp_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace handrail {
namespace {

std::string refusal(const MlpConfig& config) {
  const Status status = check(config);
  return status.ok() ? "" : status.error().message;
}

TEST(MlpConfig, DefaultsAreAccepted) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_TRUE(check(MlpConfig{}, {FeatureShape::kBlock, 784, 10}).ok());
}

TEST(MlpConfig, RefusalsNameTheValueAndItsBound) {
  EXPECT_EQ(refusal({.widths = {}}),
            "the number of widths is 0; a whole number from 1 to 64 was expected");
  EXPECT_EQ(refusal({.widths = {10, 0}}),
            "width is 0; a whole number from 1 to 1048576 was expected");
  EXPECT_EQ(refusal({.learning_rate = -1.0}),
            "learning_rate is -1; a finite number above 0 was expected");
}

TEST(MlpConfig, RefusesEveryNumberOutOfItsRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  const MlpConfig wrong[] = {
      {.sigma_1 = 0.0},       {.period = 0},         {.buffer_limit = 0},
      {.batch = 0},           {.batches = 0},        {.learning_rate = infinity},
      {.learning_rate = NAN}, {.clip = 0.0},         {.clip = NAN},
      {.pull = -1.0},         {.pull = infinity},    {.rho = 0.0},
      {.rho_1 = -1.0},        {.ensemble = 5000},    {.perturbation = -0.1},
      {.newest_share = -0.1}, {.newest_share = 1.1}, {.newest_share = NAN},
  };
  for (const MlpConfig& config : wrong) EXPECT_NE(refusal(config), "");
  EXPECT_EQ(refusal({.clip = infinity, .pull = 0.0, .rho = 1.0, .rho_1 = 2.0}), "");
}

TEST(MlpConfig, CopiesNeedPlainDescentWithoutPull) {
  const std::string expected = "ensemble is 10; it needs optimizer=sgd and pull=0";
  EXPECT_EQ(refusal({.pull = 0.0, .ensemble = 10}), expected);
  EXPECT_EQ(refusal({.optimizer = Optimizer::kSgd, .pull = 1e-4, .ensemble = 10}), expected);
  EXPECT_EQ(refusal({.optimizer = Optimizer::kSgd, .pull = 0.0, .ensemble = 10}), "");
}

TEST(MlpConfig, StepsAreScaledForPlainDescentUnderNtk) {
  MlpConfig config{.parametrisation = Parametrisation::kNtk, .optimizer = Optimizer::kSgd};
  EXPECT_TRUE(scales_steps(config));
  config.optimizer = Optimizer::kAdam;
  EXPECT_FALSE(scales_steps(config));
  config.step_scaling = StepScaling::kOn;
  EXPECT_NE(refusal(config), "");
  EXPECT_FALSE(scales_steps({.optimizer = Optimizer::kSgd}));
}

TEST(MlpConfig, RefusesNetworksThatDoNotFit) {
  const MlpConfig own_first{.own_layer = OwnLayer::kFirst};
  EXPECT_FALSE(check(own_first, {FeatureShape::kBlock, 1'000'000, 10'000}).ok());
  EXPECT_FALSE(check(MlpConfig{}, {FeatureShape::kBlock, SIZE_MAX, SIZE_MAX}).ok());
  EXPECT_FALSE(check(MlpConfig{}, {FeatureShape::kRows, 0, 1}).ok());
  const MlpConfig copies{.optimizer = Optimizer::kSgd, .ensemble = 4096};
  EXPECT_TRUE(check(copies, {FeatureShape::kBlock, 100, 10}).ok());
  EXPECT_FALSE(check(copies, {FeatureShape::kBlock, 100'000, 10}).ok());
}

}  // namespace
}  // namespace handrail
