#include "handrail/data/format_registry.h"

#include <gtest/gtest.h>

#include <set>

#include "handrail/data/csv_reader.h"

namespace handrail {
namespace {

TEST(FormatRegistry, FindsEveryFormatByItsName) {
  std::set<std::string_view> names = {kFormatByEnding};
  for (const FormatEntry* const format : formats()) {
    EXPECT_EQ(find_format(format->name), format);
    EXPECT_EQ(name_of(format), format->name);
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_FALSE(format->meaning.empty() || format->endings.empty()) << format->name;
    EXPECT_NE(format->read, nullptr) << format->name;
  }
  EXPECT_EQ(find_format("json"), nullptr);
  EXPECT_EQ(find_format("auto"), nullptr);
  EXPECT_EQ(name_of(nullptr), "auto");
}

// An ending that is also another format's would never be asked.
TEST(FormatRegistry, EveryEndingTellsItsFormatHoweverTheFileIsPacked) {
  for (const FormatEntry* const format : formats()) {
    for (const FormatEnding& ending : format->endings) {
      for (const std::string packing : {"", ".gz", ".zst", ".zstd"}) {
        EXPECT_EQ(format_of_path("a/t" + std::string(ending.text) + packing), format);
      }
    }
  }
  EXPECT_EQ(format_of_path("t.tab"), &kTsvFormat);
  EXPECT_EQ(format_of_path("t.data"), nullptr);
  EXPECT_EQ(format_of_path("csv"), nullptr);
}

}  // namespace
}  // namespace handrail
