// Where a test may write.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace handrail {

// The name holds the test's, so that tests can run at the same time.
inline std::string temporary_path(const std::string& name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test->test_suite_name()) + "." + test->name() + "." + name;
  std::ranges::replace(file, '/', '.');  // of tests with parameters
  return ::testing::TempDir() + file;
}

}  // namespace handrail
