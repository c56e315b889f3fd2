// Every world of the registry under the suite of environments.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "handrail/env/world_registry.h"
#include "tests/environment_suite.h"
#include "tests/world_fixture.h"

namespace handrail {
namespace {

// Keys that make a world small, or that deserve a look of their own. A world without a row here is
// played as its name makes it.
const std::multimap<std::string_view, std::string> kKeys = {
    {"linear", "arms=5,dim=3"},
    {"linear", "arms=2,dim=1"},
    {"nonlinear", "arms=5,dim=3,rank=5"},
    {"misspecified", "arms=5,dim=3"},
    {"drifting", "arms=5,dim=3,jump=20"},
    {"armed", "arms=10"},
    {"armed", "arms=4,rank=1"},
    {"product", "factors=3,choices=2,features=2"},
    {"product", "factors=2,choices=3,features=1"},
};

std::string with(const std::string& keys, const std::string& more) {
  return keys.empty() ? more : keys + "," + more;
}

// The world with each word of each key that takes words only, and with certain and late costs.
std::vector<std::string> variants(const WorldEntry& entry, const std::string& keys) {
  std::vector<std::string> all = {keys, with(keys, "noise=none"), with(keys, "delay=uniform:9"),
                                  with(keys, "delay=outcome:5:300")};
  for (const ParameterSpec* const row : entry.parameters) {
    if (row->low < row->high || row->check != nullptr) continue;
    for (const std::string_view word : words_of(*row)) {
      all.push_back(with(keys, std::string(row->name) + "=" + std::string(word)));
    }
  }
  return all;
}

std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const WorldEntry* const entry : worlds()) {
    std::vector<std::string> keys;
    const auto [first, last] = kKeys.equal_range(entry->name);
    for (auto each = first; each != last; ++each) keys.push_back(each->second);
    if (keys.empty()) keys.emplace_back();
    for (const std::string& small : keys) {
      for (const std::string& variant : variants(*entry, small)) {
        specs.push_back(std::string(entry->name) + (variant.empty() ? "" : ":" + variant));
      }
    }
  }
  return specs;
}

class WorldSuite : public ::testing::TestWithParam<std::string> {};

// The worlds of the table draw their rounds by the seed. A new one may be all formula, so that its
// noise is its only luck.
TEST_P(WorldSuite, Conforms) {
  const auto make = [&](std::uint64_t seed) { return world(GetParam(), seed); };
  const std::string& spec = GetParam();
  if (kKeys.contains(std::string_view(spec).substr(0, spec.find(':')))) {
    expect_conforming(make);
    return;
  }
  expect_pure(make);
  expect_valid_rounds(make);
  expect_unbiased_costs(make);
}

TEST_P(WorldSuite, NamesTheSpecThatMakesItAgain) {
  const std::string name = world(GetParam())->name();
  EXPECT_EQ(world(name)->name(), name);
}

INSTANTIATE_TEST_SUITE_P(Worlds, WorldSuite, ::testing::ValuesIn(all_specs()));

}  // namespace
}  // namespace handrail
