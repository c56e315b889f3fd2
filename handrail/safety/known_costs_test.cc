#include "handrail/safety/known_costs.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

TEST(KnownCosts, HaveAMeanOfOneHalfBeforeTheFirst) {
  KnownCosts costs;
  EXPECT_EQ(costs.mean(), 0.5);
  costs.add(0.0);
  EXPECT_EQ(costs.mean(), 0.0);
  costs.add(0.75);
  EXPECT_EQ(costs.mean(), 0.375);
}

TEST(KnownCosts, SaveAndLoadEveryBit) {
  KnownCosts costs;
  for (int i = 0; i < 3; ++i) costs.add(0.1);
  ByteWriter out;
  costs.save(out);
  KnownCosts loaded;
  ByteReader in(out.bytes());
  loaded.load(in);
  EXPECT_TRUE(in.status().ok() && in.at_end());
  EXPECT_EQ(loaded.mean(), costs.mean());
}

TEST(KnownCosts, RefuseASumThatTheirNumberDoesNotAllow) {
  for (const double sum : {-0.1, 2.1}) {
    ByteWriter out;
    out.f64(sum);
    out.u64(2);
    ByteReader in(out.bytes());
    KnownCosts().load(in);
    EXPECT_FALSE(in.status().ok()) << sum;
  }
}

}  // namespace
}  // namespace handrail
