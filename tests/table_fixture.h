// Files with given bytes, and what is said of them, for tests of readers.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "handrail/data/read_table.h"

namespace handrail {

// A path of this test alone.
inline std::string temporary_path(std::string_view name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  return ::testing::TempDir() + test->test_suite_name() + "." + test->name() + "." +
         std::string(name);
}

inline std::string file_of(std::string_view name, std::string_view bytes) {
  const std::string path = temporary_path(name);
  // Some file systems go to the disk when a file is cut to nothing, and tests write many.
  std::filesystem::remove(path);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes;
  EXPECT_TRUE(out.flush().good()) << path;
  return path;
}

inline Table table_of(std::string_view name, std::string_view bytes,
                      const ReadOptions& options = {}) {
  Result<Table> table = read_table(file_of(name, bytes), options);
  EXPECT_TRUE(table.ok()) << table.error().message;
  return table.ok() ? std::move(table).value() : Table({});
}

// The error, with the file's name in place of its path.
inline std::string refusal_of(std::string_view name, std::string_view bytes,
                              const ReadOptions& options = {}) {
  const std::string path = file_of(name, bytes);
  const Result<Table> table = read_table(path, options);
  if (table.ok()) return "no refusal";
  std::string message = table.error().message;
  const std::size_t place = message.find(path);
  return place == std::string::npos ? message : message.replace(place, path.size(), name);
}

}  // namespace handrail
