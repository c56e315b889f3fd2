#include <gtest/gtest.h>

#include "handrail/env/world.h"
#include "tests/environment_suite.h"

namespace handrail {
namespace {

class WorldSuite : public ::testing::TestWithParam<const char*> {};

TEST_P(WorldSuite, Conforms) {
  const char* spec = GetParam();
  expect_conforming(
      [&](std::uint64_t seed) { return make_world(parse_world(spec, {.seed = seed}).value()); });
}

TEST_P(WorldSuite, NamesTheSpecThatMakesItAgain) {
  const std::string name = make_world(parse_world(GetParam()).value())->name();
  EXPECT_EQ(make_world(parse_world(name).value())->name(), name);
}

INSTANTIATE_TEST_SUITE_P(Worlds, WorldSuite,
                         ::testing::Values("linear:arms=5,dim=3", "linear:arms=2,dim=1,noise=none",
                                           "nonlinear:arms=5,dim=3",
                                           "nonlinear:shape=bilinear,arms=5,dim=3,rank=5",
                                           "nonlinear:shape=cosine,arms=5,dim=3,delay=20",
                                           "misspecified:arms=5,dim=3,delay=uniform:9",
                                           "drifting:arms=5,dim=3,jump=20,delay=outcome:5:300",
                                           "armed", "armed:arms=4,rank=1,noise=none",
                                           "product:factors=3,choices=2,features=2",
                                           "product:factors=2,choices=3,features=1,curve=square"));

}  // namespace
}  // namespace handrail
