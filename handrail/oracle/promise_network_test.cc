#include "handrail/oracle/promise_network.h"

#include <gtest/gtest.h>

#include <array>

#include "handrail/oracle/saving_network.h"
#include "tests/saving_scene.h"

namespace handrail {
namespace {

// The targets are not bounded by [0, 1].
TEST(PromiseNetwork, LearnsWhatGradientsPromise) {
  const SavingNetwork savings({.unit_count = 20, .seed = 3}, kBlocks);
  PromiseNetwork promises(
      {.pool = 2, .unit_count = 30, .fit = {.step_limit = 4000, .enough = 1e-4}},
      savings.network());
  std::vector<double> trace(savings.network().trace_size());
  std::vector<double> scratch(promises.scratch_size());
  const std::array targets = {1.2, 0.4, 1.9, 1.0};
  for (std::size_t block = 0; block < 4; ++block) {
    const ArmView arm = {.features = kFeatures, .block = block};
    savings.saving(arm, trace);
    promises.add(promises.factors_of(arm, trace), targets[block]);
  }
  EXPECT_EQ(promises.example_count(), 4u);
  promises.train(kStream);
  for (std::size_t block = 0; block < 4; ++block) {
    const ArmView arm = {.features = kFeatures, .block = block};
    savings.saving(arm, trace);
    EXPECT_NEAR(promises.promise(promises.factors_of(arm, trace), scratch), targets[block], 0.05);
  }
}

// Adam's first step moves every parameter by the rate, whatever was learned before: its memory does
// not outlive a training.
TEST(PromiseNetwork, StartsEveryTrainingWithAFreshMemory) {
  const SavingNetwork savings({.unit_count = 20, .seed = 3}, kBlocks);
  const auto make = [&] {
    return PromiseNetwork({.pool = 2, .unit_count = 5, .fit = {.step_limit = 1}},
                          savings.network());
  };
  std::vector<double> trace(savings.network().trace_size());
  savings.saving(kArm, trace);
  PromiseNetwork one = make();
  one.add(one.factors_of(kArm, trace), 1.5);
  one.train(kStream);
  ByteWriter out;
  one.save(out);
  PromiseNetwork loaded = make();
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  one.train(kStream);
  loaded.train(kStream);
  std::vector<double> scratch(one.scratch_size());
  EXPECT_EQ(one.promise(one.factors_of(kArm, trace), scratch),
            loaded.promise(loaded.factors_of(kArm, trace), scratch));
}

}  // namespace
}  // namespace handrail
