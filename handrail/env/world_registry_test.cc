#include "handrail/env/world_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/env/world_rows.h"
#include "handrail/env/world_spec.h"

namespace handrail {
namespace {

TEST(WorldRegistry, FindsEveryWorldByItsName) {
  std::set<std::string_view> names;
  for (const WorldEntry* const world : worlds()) {
    EXPECT_EQ(find_world(world->name), world);
    EXPECT_TRUE(names.insert(world->name).second) << world->name;
    EXPECT_FALSE(world->meaning.empty()) << world->name;
    EXPECT_NE(world->make, nullptr) << world->name;
  }
  EXPECT_EQ(find_world("liner"), nullptr);
}

TEST(WorldRegistry, EveryWorldHasNoiseAndDelay) {
  for (const WorldEntry* const world : worlds()) {
    for (const ParameterSpec* const row : {&kNoiseRow, &kDelayRow}) {
      EXPECT_EQ(std::ranges::count(world->parameters, row), 1) << world->name << " " << row->name;
    }
  }
}

// Texts that a row takes: where its range ends, all its words, and spellings that are not the one.
std::vector<std::string> texts_of(const ParameterSpec& row) {
  std::vector<std::string> texts = {std::string(row.fallback)};
  for (const std::string_view word : words_of(row)) texts.emplace_back(word);
  if (row.low < row.high) {
    for (const double end : {row.low, row.high}) texts.push_back("0" + to_text(end));
  }
  if (row.name == kDelayRow.name) texts.insert(texts.end(), {"007", "uniform:03", "outcome:5:300"});
  if (row.name == kNoiseRow.name) texts.emplace_back("none");
  return texts;
}

TEST(WorldRegistry, EveryRowPrintsWhatItReadsAsTheSame) {
  for (const WorldEntry* const world : worlds()) {
    for (const ParameterSpec* const row : world->parameters) {
      SCOPED_TRACE(std::string(world->name) + " " + std::string(row->name));
      EXPECT_FALSE(row->meaning.empty() || expected(*row).empty());
      for (const std::string& text : texts_of(*row)) {
        const Result<ParameterValue> given = parse_value(*row, text);
        ASSERT_TRUE(given.ok()) << given.error().message;
        const std::string printed = print_value(*row, given.value());
        const Result<ParameterValue> again = parse_value(*row, printed);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(print_value(*row, again.value()), printed);
        EXPECT_EQ(again.value().number, given.value().number);
        EXPECT_EQ(again.value().word, given.value().word);
      }
    }
  }
}

// The name alone makes a world whose SPEC has every key, in order and with numbers for words that
// stand for one, and which reads back as the same.
TEST(WorldRegistry, EverySpecIsSpelledOutAndReadsBack) {
  for (const WorldEntry* const world : worlds()) {
    const Result<WorldConfig> made = read_world({.name = std::string(world->name)});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const std::string spec = to_spec(made.value());
    const Result<Spec> parsed = parse_spec({.key = "world", .value = spec, .place = {}});
    ASSERT_TRUE(parsed.ok()) << spec;
    ASSERT_EQ(parsed.value().keys.size(), world->parameters.size()) << spec;
    for (std::size_t i = 0; i < world->parameters.size(); ++i) {
      EXPECT_EQ(parsed.value().keys[i].key, world->parameters[i]->name);
    }
    EXPECT_EQ(to_spec(read_world(parsed.value()).value()), spec);
    EXPECT_EQ(spec.find("auto"), std::string::npos) << spec;
  }
}

}  // namespace
}  // namespace handrail
