#include "handrail/eval/environment_flag.h"

#include <gtest/gtest.h>

#include "handrail/env/data_spec.h"
#include "handrail/env/world_registry.h"

namespace handrail {
namespace {

constexpr EnvironmentKind kWorld = EnvironmentKind::kWorld;
constexpr EnvironmentKind kData = EnvironmentKind::kData;

Setting flag(const std::string& name, const std::string& value) {
  return {.key = name, .value = value, .place = "--" + name};
}

std::string refusal(const Setting& given, EnvironmentKind kind) {
  const Result<std::optional<Setting>> key = key_of_flag(given, kind);
  return key.ok() ? "no refusal" : key.error().message;
}

TEST(EnvironmentFlag, IsAKeyOfTheSpecAtTheFlagsPlace) {
  const std::optional<Setting> rank = key_of_flag(flag("baseline", "rank:2"), kWorld).value();
  ASSERT_TRUE(rank.has_value());
  EXPECT_EQ(rank->key, "rank");
  EXPECT_EQ(rank->value, "2");
  EXPECT_EQ(rank->place, "--baseline");
  EXPECT_EQ(key_of_flag(flag("baseline", "rank:2"), kData).value()->value, "rank:2");
  EXPECT_EQ(key_of_flag(flag("costs", "a,b"), kData).value()->value, "a|b");
  EXPECT_EQ(key_of_flag(flag("cost-max", "5"), kData).value()->key, "cost_max");
  EXPECT_FALSE(key_of_flag(flag("baseline-known", "per_round"), kWorld).value().has_value());
}

TEST(EnvironmentFlag, RefusesWhatTheKindOfEnvironmentHasNot) {
  EXPECT_EQ(
      refusal(flag("baseline", "majority"), kWorld),
      "--baseline: baseline is \"majority\"; rank:N, which is what worlds have, was expected");
  EXPECT_EQ(refusal(flag("baseline-known", "mean"), kWorld),
            "--baseline-known: baseline-known is \"mean\"; per_round, the only kind that worlds "
            "have, was expected");
  EXPECT_EQ(refusal(flag("class", "x"), kWorld),
            "--class: class is for data sets only, and a world was named");
}

// A flag whose key nothing has would be refused everywhere.
TEST(EnvironmentFlag, SetsAKeyThatIsThere) {
  for (const EnvironmentFlag& each : environment_flags()) {
    const auto is_key = [&](std::string_view key) {
      return [key](const ParameterSpec& row) { return row.name == key; };
    };
    EXPECT_TRUE(std::ranges::any_of(data_rows(), is_key(each.of_data.key))) << each.name;
    if (each.of_worlds.key.empty()) continue;
    const auto has_key = [&](const WorldEntry* world) {
      return ParameterValues(world->parameters).has(each.of_worlds.key);
    };
    EXPECT_TRUE(std::ranges::any_of(worlds(), has_key)) << each.name;
  }
  EXPECT_EQ(find_environment_flag("alpha"), nullptr);
}

}  // namespace
}  // namespace handrail
