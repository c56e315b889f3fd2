#include "handrail/oracle/replay_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace handrail {
namespace {

constexpr FeatureLayout kLayout{FeatureShape::kBlock, 2, 4};

void push(ReplayBuffer& buffer, int number) {
  const std::array<double, 2> features = {number + 0.0, number + 0.5};
  const auto block = static_cast<std::size_t>(number % 4);
  buffer.push({.arm = {.features = features, .block = block}, .cost = number / 100.0});
}

void expect_example(const Example& example, int number) {
  EXPECT_EQ(example.arm.features[0], number);
  EXPECT_EQ(example.arm.features[1], number + 0.5);
  EXPECT_EQ(example.arm.block, static_cast<std::size_t>(number % 4));
  EXPECT_EQ(example.cost, number / 100.0);
}

TEST(ReplayBuffer, KeepsTheNewestInOrder) {
  ReplayBuffer buffer(3, kLayout);
  for (int i = 0; i < 8; ++i) {
    push(buffer, i);
    ASSERT_EQ(buffer.size(), static_cast<std::size_t>(std::min(i + 1, 3)));
    const int oldest = std::max(0, i - 2);
    for (std::size_t age = 0; age < buffer.size(); ++age) {
      expect_example(buffer.by_age(age), oldest + static_cast<int>(age));
    }
  }
  EXPECT_EQ(buffer.pushed(), 8u);
}

TEST(ReplayBuffer, LoadsASavedOneWhereItWasInItsRing) {
  ReplayBuffer buffer(3, kLayout);
  for (int i = 0; i < 5; ++i) push(buffer, i);
  ByteWriter out;
  buffer.save(out);
  ReplayBuffer loaded(3, kLayout);
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok() && in.at_end());
  push(loaded, 5);
  for (std::size_t age = 0; age < 3; ++age) {
    expect_example(loaded.by_age(age), 3 + static_cast<int>(age));
  }
}

TEST(ReplayBuffer, RefusesBytesOfAnotherBuffer) {
  ReplayBuffer buffer(3, kLayout);
  for (int i = 0; i < 5; ++i) push(buffer, i);
  ByteWriter out;
  buffer.save(out);
  const auto refuses = [&](std::size_t limit, const FeatureLayout& layout) {
    ReplayBuffer other(limit, layout);
    ByteReader in(out.bytes());
    other.load(in);
    return !in.status().ok();
  };
  EXPECT_FALSE(refuses(3, kLayout));
  EXPECT_TRUE(refuses(4, kLayout));
  EXPECT_TRUE(refuses(3, {FeatureShape::kBlock, 3, 4}));
  EXPECT_TRUE(refuses(3, {FeatureShape::kBlock, 2, 3}));  // example 3 is in block 3
}

TEST(ReplayBuffer, RefusesACostThatIsNone) {
  ByteWriter out;
  out.u64(1);
  out.doubles(std::vector{1.5});
  out.doubles(std::vector{0.0, 0.0});
  out.u32(0);
  ReplayBuffer buffer(3, kLayout);
  ByteReader in(out.bytes());
  buffer.load(in);
  EXPECT_FALSE(in.status().ok());
}

}  // namespace
}  // namespace handrail
