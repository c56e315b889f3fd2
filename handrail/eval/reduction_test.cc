#include "handrail/eval/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace handrail {
namespace {

const std::vector<MetricValue> kThree = {2.0, 0.0, 7.0};
const std::vector<MetricValue> kGaps = {std::nullopt, 5.0, 3.0, std::nullopt};
const std::vector<MetricValue> kNone = {std::nullopt, std::nullopt};

TEST(Reduction, OfNumbers) {
  EXPECT_EQ(reduce(Reduction::kMean, kThree).value, 3.0);
  EXPECT_EQ(reduce(Reduction::kSum, kThree).value, 9.0);
  EXPECT_EQ(reduce(Reduction::kLeast, kThree).value, 0.0);
  EXPECT_EQ(reduce(Reduction::kGreatest, kThree).value, 7.0);
  const Reduced mean = reduce(Reduction::kMeanWithError, kThree);
  EXPECT_EQ(mean.value, 3.0);
  EXPECT_NEAR(mean.standard_error, std::sqrt(13.0 / 3.0), 1e-15);  // variance 13
  EXPECT_TRUE(std::isnan(reduce(Reduction::kMean, kThree).standard_error));
}

TEST(Reduction, RunsWithoutAValueDoNotCount) {
  EXPECT_EQ(reduce(Reduction::kLeast, kGaps).value, 3.0);
  EXPECT_EQ(reduce(Reduction::kGreatest, kGaps).value, 5.0);
  EXPECT_EQ(reduce(Reduction::kRunCount, kGaps).value, 2.0);
  EXPECT_EQ(reduce(Reduction::kRunShare, kGaps).value, 0.5);
  EXPECT_EQ(reduce(Reduction::kLeast, kNone).value, std::nullopt);
  EXPECT_EQ(reduce(Reduction::kRunShare, kNone).value, 0.0);
}

TEST(Reduction, ARunWhoseFlagIsDownDoesNotCount) {
  EXPECT_EQ(reduce(Reduction::kRunCount, kThree).value, 2.0);
  EXPECT_NEAR(reduce(Reduction::kRunShare, kThree).value.value(), 2.0 / 3.0, 1e-15);
}

}  // namespace
}  // namespace handrail
