#include "handrail/agent/pending.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

const std::vector<double> kRow = {0.25, 0.75};

void add(PendingDecisions& pending, std::uint64_t sequence, ArmIndex arm = 0) {
  PendingDecision decision;
  decision.choice = Choice::kExplore;
  decision.charged = true;
  decision.arm = arm;
  decision.centre = 0.1 * static_cast<double>(sequence);
  pending.add(sequence, decision, {.features = kRow, .block = arm});
}

TEST(PendingDecisions, KeepWhatALateCostNeeds) {
  PendingDecisions pending(10);
  add(pending, 1, 3);
  const PendingDecision* found = pending.find(1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->features, kRow);  // a copy: the round's memory may be gone
  EXPECT_EQ(found->block, 3u);
  EXPECT_EQ(found->centre, 0.1);
  EXPECT_TRUE(found->charged);
  pending.remove(1);
  EXPECT_EQ(pending.find(1), nullptr);
  EXPECT_EQ(pending.size(), 0u);
}

TEST(PendingDecisions, AreRemovedInAnyOrderAndReuseTheirMemory) {
  PendingDecisions pending(100);
  for (std::uint64_t s = 1; s <= 100; ++s) add(pending, s);
  for (std::uint64_t s = 2; s <= 100; s += 2) pending.remove(s);
  for (std::uint64_t s = 101; s <= 150; ++s) add(pending, s, 7);
  EXPECT_EQ(pending.size(), 100u);
  EXPECT_EQ(pending.find(150)->arm, 7u);
  EXPECT_EQ(pending.find(99)->arm, 0u);
  EXPECT_EQ(pending.given_up_count(), 0u);
}

TEST(PendingDecisions, GiveUpTheOldestPastTheLimit) {
  PendingDecisions pending(3);
  for (std::uint64_t s = 1; s <= 4; ++s) add(pending, s);
  pending.remove(3);
  for (std::uint64_t s = 5; s <= 6; ++s) add(pending, s);
  EXPECT_EQ(pending.size(), 3u);
  EXPECT_EQ(pending.given_up_count(), 2u);
  EXPECT_TRUE(pending.was_given_up(1));
  EXPECT_TRUE(pending.was_given_up(2));
  EXPECT_FALSE(pending.was_given_up(3));  // answered
  EXPECT_FALSE(pending.is_older_than_memory(1));
}

TEST(PendingDecisions, RememberAsManyGivenUpAsMayBePending) {
  PendingDecisions pending(2);
  for (std::uint64_t s = 1; s <= 7; ++s) add(pending, s);
  EXPECT_EQ(pending.given_up_count(), 5u);
  EXPECT_TRUE(pending.was_given_up(5));
  EXPECT_FALSE(pending.was_given_up(3));
  EXPECT_TRUE(pending.is_older_than_memory(3));
}

TEST(PendingDecisions, SaveAndLoad) {
  PendingDecisions pending(3);
  for (std::uint64_t s = 1; s <= 5; ++s) add(pending, s, static_cast<ArmIndex>(s));
  ByteWriter out;
  pending.save(out);
  PendingDecisions loaded(3);
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(loaded.size(), 3u);
  EXPECT_EQ(loaded.find(4)->arm, 4u);
  EXPECT_EQ(loaded.find(4)->features, kRow);
  EXPECT_TRUE(loaded.was_given_up(2));
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    PendingDecisions cut(3);
    ByteReader part(out.bytes().substr(0, length));
    EXPECT_FALSE(cut.load(part).ok()) << length;
  }
  PendingDecisions smaller(2);
  ByteReader again(out.bytes());
  EXPECT_FALSE(smaller.load(again).ok());
}

}  // namespace
}  // namespace handrail
