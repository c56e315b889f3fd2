#include "handrail/oracle/combining_network.h"

#include <gtest/gtest.h>

#include "tests/saving_scene.h"

namespace handrail {
namespace {

TEST(CombiningNetwork, LearnsSavingsFromBothNetworks) {
  CombiningNetwork combined({.learning_rate = 0.01, .fit = {.step_limit = 5000}});
  combined.add({.saving = 0.2, .promise = 1.6}, 0.1);
  combined.add({.saving = 0.5, .promise = 0.9}, 0.8);
  combined.train(kStream);
  std::vector<double> trace(combined.trace_size());
  EXPECT_NEAR(combined.saving({.saving = 0.2, .promise = 1.6}, trace), 0.9, 0.05);
  EXPECT_NEAR(combined.saving({.saving = 0.5, .promise = 0.9}, trace), 0.2, 0.05);
}

TEST(CombiningNetwork, GoesOnFromWhatItSaved) {
  const CombiningNetworkConfig config = {.fit = {.step_limit = 5}, .seed = 3};
  CombiningNetwork one(config);
  one.add({.saving = 0.2, .promise = 1.6}, 0.1);
  one.train(kStream);
  ByteWriter out;
  one.save(out);
  CombiningNetwork loaded(config);
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  one.train(kStream);
  loaded.train(kStream);
  std::vector<double> trace(one.trace_size());
  EXPECT_EQ(one.saving({.saving = 0.2, .promise = 1.6}, trace),
            loaded.saving({.saving = 0.2, .promise = 1.6}, trace));
}

}  // namespace
}  // namespace handrail
