#include "handrail/oracle/combining_network.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

const RandomStream kStream(1, Purpose::kTest, 1);

TEST(CombiningNetwork, LearnsSavingsFromBothNetworks) {
  CombiningNetwork combined({.learning_rate = 0.01, .fit = {.step_limit = 5000}});
  combined.add({.saving = 0.2, .promise = 1.6}, 0.1);
  combined.add({.saving = 0.5, .promise = 0.9}, 0.8);
  combined.train(kStream);
  std::vector<double> trace(combined.trace_size());
  EXPECT_NEAR(combined.saving({.saving = 0.2, .promise = 1.6}, trace), 0.9, 0.05);
  EXPECT_NEAR(combined.saving({.saving = 0.5, .promise = 0.9}, trace), 0.2, 0.05);
}

}  // namespace
}  // namespace handrail
