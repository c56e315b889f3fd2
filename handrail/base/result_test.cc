#include "handrail/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace handrail {
namespace {

TEST(Status, IsOkUntilGivenAnError) {
  EXPECT_TRUE(Status().ok());
  const Status failed = Error{"the value is 3; at most 2 was expected"};
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the value is 3; at most 2 was expected");
}

TEST(Result, HoldsValueOrError) {
  const Result<int> seven = 7;
  EXPECT_TRUE(seven.ok());
  EXPECT_EQ(seven.value(), 7);
  const Result<int> failed = Error{"no"};
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "no");
}

TEST(Result, GivesUpOwnershipOfItsValue) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(5);
  made.value() = std::make_unique<int>(6);
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 6);
}

TEST(ResultDeathTest, StopsWhenAnErrorIsReadAsAValue) {
  const Result<int> failed = Error{"no"};
  EXPECT_DEATH(static_cast<void>(failed.value()), "broken promise: ok");
  EXPECT_DEATH(static_cast<void>(Status().error()), "broken promise: !ok");
}

}  // namespace
}  // namespace handrail
