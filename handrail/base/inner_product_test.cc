#include "handrail/base/inner_product.h"

#include <gtest/gtest.h>

#include <vector>

namespace handrail {
namespace {

TEST(InnerProduct, SumsTheProducts) {
  EXPECT_EQ(inner_product(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, -5.0, 6.0}), 12.0);
  EXPECT_EQ(inner_product({}, {}), 0.0);
}

// Beside 2^53 a 1 is lost, so only the last of these 18 terms is left; sums side by side would keep
// more of them.
TEST(InnerProduct, AddsOneTermAfterTheOther) {
  std::vector<double> a(18, 1.0);
  a.front() = 0x1.0p53;
  a[16] = -0x1.0p53;
  EXPECT_EQ(inner_product(a, std::vector<double>(18, 1.0)), 1.0);
}

}  // namespace
}  // namespace handrail
