#include "handrail/oracle/saving_network.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/saving_scene.h"

namespace handrail {
namespace {

TEST(SavingNetwork, StepsAgainstTheGradientOfTheSquaredError) {
  // A short step of rate η on (f − s)² moves f by −2η(f − s)|∇f|², for a saving s = 1 − cost.
  constexpr double kRate = 1e-7;
  SavingNetwork savings(
      {.unit_count = 20, .learning_rate = kRate, .fit = {.step_limit = 1}, .seed = 3}, kBlocks);
  std::vector<double> trace(savings.network().trace_size());
  const double before = savings.saving(kArm, trace);
  const double squared = savings.network().squared_gradient(kArm, trace);
  savings.add(kArm, 0.3);
  savings.train(kStream);
  const double moved = savings.saving(kArm, trace) - before;
  const double expected = -2.0 * kRate * (before - 0.7) * squared;
  EXPECT_GT(squared, 1.0);
  EXPECT_NEAR(moved / expected, 1.0, 1e-5);
}

TEST(SavingNetwork, EndsWhereTheLossIsEnough) {
  SavingNetwork savings({.unit_count = 20, .seed = 3}, kBlocks);
  std::vector<double> trace(savings.network().trace_size());
  savings.add(kArm, 0.25);
  savings.train(kStream);
  const double loss = std::pow(savings.saving(kArm, trace) - 0.75, 2.0);
  EXPECT_LE(loss, 1e-3);
  EXPECT_GT(loss, 1e-5);  // and not far below
}

TEST(SavingNetwork, GoesOnFromWhatItSaved) {
  const SavingNetworkConfig config = {.unit_count = 20, .fit = {.step_limit = 5}, .seed = 3};
  SavingNetwork one(config, kBlocks);
  one.add(kArm, 0.25);
  one.train(kStream);
  ByteWriter out;
  one.save(out);
  SavingNetwork loaded(config, kBlocks);
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  one.train(kStream);
  loaded.train(kStream);
  std::vector<double> trace(one.network().trace_size());
  EXPECT_EQ(one.saving(kArm, trace), loaded.saving(kArm, trace));
}

}  // namespace
}  // namespace handrail
