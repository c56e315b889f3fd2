#include "handrail/env/delay.h"

#include <gtest/gtest.h>

#include <set>

#include "handrail/env/round_stream.h"

namespace handrail {
namespace {

constexpr std::uint64_t kSeed = 1;

Delay delay_of(std::string_view text) {
  return parse_delay(text).value();
}

std::string refusal(std::string_view text) {
  const Result<Delay> parsed = parse_delay(text);
  return parsed.ok() ? "accepted" : parsed.error().message;
}

TEST(Delay, NoneArrivesInItsOwnRound) {
  EXPECT_EQ(Delay().arrives(kSeed, 7, 0, 1.0), 7u);
  EXPECT_EQ(delay_of("none"), Delay());
}

TEST(Delay, FixedArrivesThatManyRoundsLater) {
  EXPECT_EQ(delay_of("50").arrives(kSeed, 7, 3, 0.0), 57u);
  EXPECT_EQ(delay_of("0").arrives(kSeed, 7, 3, 1.0), 7u);
}

// 2000 draws of six values miss one of them with probability below 6 (5/6)^2000 < 1e-150.
TEST(Delay, UniformCoversEverythingFromNoneToN) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t t = 1; t <= 2000; ++t) {
    seen.insert(delay_of("uniform:5").arrives(kSeed, t, 2, 0.0) - t);
  }
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(delay_of("uniform:0").arrives(kSeed, 9, 2, 0.0), 9u);
}

TEST(Delay, UniformIsAFunctionOfSeedRoundAndArm) {
  const Delay delay = delay_of("uniform:1000000");
  EXPECT_EQ(delay.arrives(kSeed, 4, 1, 0.0), delay.arrives(kSeed, 4, 1, 1.0));
  EXPECT_NE(delay.arrives(kSeed, 4, 1, 0.0), delay.arrives(kSeed, 4, 2, 0.0));
  EXPECT_NE(delay.arrives(kSeed, 4, 1, 0.0), delay.arrives(kSeed + 1, 4, 1, 0.0));
  EXPECT_NE(delay.arrives(kSeed, 4, 1, 0.0) - 4, delay.arrives(kSeed, 5, 1, 0.0) - 5);
}

TEST(Delay, OutcomeWaitsByTheCost) {
  const Delay delay = delay_of("outcome:5:300");
  EXPECT_EQ(delay.arrives(kSeed, 10, 0, 0.0), 15u);
  EXPECT_EQ(delay.arrives(kSeed, 10, 0, 0.4999), 15u);
  EXPECT_EQ(delay.arrives(kSeed, 10, 0, 0.5), 310u);
  EXPECT_EQ(delay.arrives(kSeed, 10, 0, 1.0), 310u);
}

TEST(Delay, ReadsBackFromItsText) {
  for (const char* text : {"none", "0", "20", "uniform:7", "outcome:5:300", "1000000000"}) {
    EXPECT_EQ(to_text(delay_of(text)), text);
  }
}

TEST(Delay, RefusesWithASentence) {
  for (const char* text : {"", "soon", "-1", "1.5", "uniform", "uniform:", "uniform:1:2", "1:2",
                           "outcome:5", "outcome:5:", "outcome:1:2:3", "none:1"}) {
    EXPECT_EQ(refusal(text), "delay is \"" + std::string(text) +
                                 "\"; none, N, uniform:N or outcome:N:M was expected, "
                                 "N and M whole numbers");
  }
  EXPECT_EQ(refusal("outcome:1:1000000001"),
            "delay is \"outcome:1:1000000001\"; at most 1000000000 rounds were expected");
}

TEST(DelayDeathTest, StopsAtRoundsBeyondTheLast) {
  EXPECT_DEATH(static_cast<void>(Delay().arrives(kSeed, kRoundLimit, 0, 0.0)), "broken promise");
}

}  // namespace
}  // namespace handrail
