#include "handrail/explore/epochs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

void expect_epoch(const Epoch& epoch, const Epoch& expected) {
  EXPECT_EQ(epoch.number, expected.number);
  EXPECT_EQ(epoch.previous, expected.previous);
  EXPECT_EQ(epoch.start, expected.start);
  EXPECT_EQ(epoch.end, expected.end);
}

TEST(Epochs, Double) {
  expect_epoch(epoch_at(0, std::nullopt), {.number = 1, .previous = 0, .start = 0, .end = 2});
  expect_epoch(epoch_at(1, std::nullopt), {.number = 1, .previous = 0, .start = 0, .end = 2});
  expect_epoch(epoch_at(2, std::nullopt), {.number = 2, .previous = 0, .start = 2, .end = 4});
  expect_epoch(epoch_at(3, std::nullopt), {.number = 2, .previous = 0, .start = 2, .end = 4});
  expect_epoch(epoch_at(4, std::nullopt), {.number = 3, .previous = 2, .start = 4, .end = 8});
  expect_epoch(epoch_at(1000, std::nullopt),
               {.number = 10, .previous = 256, .start = 512, .end = 1024});
  EXPECT_EQ(epoch_at(kMostKnownCosts, std::nullopt).number, 61u);
}

// T = 10 000: 2·10^{4/2} = 200, 2·10^{4·3/4} = 2000, 2·10^{4·7/8} = 6324.6, 2·10^{4·15/16} =
// 11246.8; that is past T, so from there on they double.
TEST(Epochs, FollowAHorizon) {
  const std::optional<std::uint64_t> horizon = 10'000;
  expect_epoch(epoch_at(0, horizon), {.number = 1, .previous = 0, .start = 0, .end = 200});
  expect_epoch(epoch_at(200, horizon), {.number = 2, .previous = 0, .start = 200, .end = 2000});
  expect_epoch(epoch_at(6324, horizon), {.number = 3, .previous = 200, .start = 2000, .end = 6325});
  expect_epoch(epoch_at(6325, horizon),
               {.number = 4, .previous = 2000, .start = 6325, .end = 11247});
  expect_epoch(epoch_at(11247, horizon),
               {.number = 5, .previous = 6325, .start = 11247, .end = 22494});
}

TEST(Epochs, NeverEndBeforeTheyBegin) {
  for (const std::uint64_t horizon : {1u, 2u, 3u, 5u, 16u, 17u, 1000u}) {
    for (std::uint64_t known = 0; known < 100; ++known) {
      const Epoch epoch = epoch_at(known, horizon);
      EXPECT_LE(epoch.previous, epoch.start);
      EXPECT_LE(epoch.start, known);
      EXPECT_LT(known, epoch.end);
    }
  }
}

// m = 3, τ_2 = 4, K = 5, |F| = 10, δ = 0.1: log(10·log(4)·3/0.1) = log(415.888…).
TEST(FalconGamma, FollowsAHandComputedCase) {
  const FalconGamma config = {.complexity = std::log(10.0), .delta = 0.1};
  const Epoch third = epoch_at(4, std::nullopt);
  const double printed = falcon_gamma(config, third, 4, 5);
  EXPECT_NEAR(printed, std::sqrt(20.0 / 6.0304167) / 30.0, 1e-8);
  EXPECT_NEAR(printed, 0.0607044, 1e-6);
  FalconGamma scaled = config;
  scaled.factor = 2.0;
  EXPECT_NEAR(falcon_gamma(scaled, third, 4, 5), 60.0 * printed, 1e-12);
}

// m = 3, τ_2 − τ_1 = 2, K = 5, D = 3, c = 0.5, δ = 0.1: E(2, 0.1/18) = ½(3 log 2 + log 180)/2
// = (2.0794415 + 5.1929569)/4 = 1.8180996; γ = ½√(5/1.8180996).
TEST(FalconGamma, OfTheOtherVariantFollowsAHandComputedCase) {
  const FalconGamma config = {
      .variant = FalconVariant::kPlus, .complexity = 3.0, .excess_scale = 0.5, .delta = 0.1};
  EXPECT_NEAR(falcon_gamma(config, epoch_at(4, std::nullopt), 2, 5),
              0.5 * std::sqrt(5.0 / 1.8180996), 1e-7);
}

// Whatever is asked for: the first logarithm of the printed formula is −∞ at one example, and
// negative at two; nothing of that is ever divided by.
TEST(FalconGamma, IsZeroInTheFirstEpochAndFiniteAfterIt) {
  for (const FalconVariant variant : {FalconVariant::kFalcon, FalconVariant::kPlus}) {
    const FalconGamma config = {.variant = variant, .complexity = 0.0, .delta = 0.999};
    EXPECT_EQ(falcon_gamma(config, epoch_at(1, std::nullopt), 0, 3), 0.0);
    for (const std::uint64_t known : {2u, 3u, 4u, 100u, 1000000u}) {
      for (const std::uint64_t fitted : {0u, 1u, 2u, 50u}) {
        const double gamma = falcon_gamma(config, epoch_at(known, std::nullopt), fitted, 3);
        EXPECT_TRUE(gamma > 0.0 && std::isfinite(gamma)) << known << " " << fitted;
      }
    }
  }
}

}  // namespace
}  // namespace handrail
