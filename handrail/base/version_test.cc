#include "handrail/base/version.h"

#include <gtest/gtest.h>

#include "handrail/base/text.h"

namespace handrail {
namespace {

TEST(Version, IsThreeNumbers) {
  const auto numbers = split(version(), '.');
  ASSERT_EQ(numbers.size(), 3u);
  for (const auto number : numbers) EXPECT_TRUE(to_count(number).has_value()) << number;
}

}  // namespace
}  // namespace handrail
