#include "handrail/agent/pending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

const std::vector<double> kRow = {0.25, 0.75};

void add(PendingDecisions& pending, std::uint64_t sequence, ArmIndex arm = 0) {
  Decision decision;
  decision.sequence = sequence;
  decision.choice = Choice::kExplore;
  decision.arm = arm;
  decision.centre = 1.0 / static_cast<double>(sequence);
  pending.add(decision, true, {.features = kRow, .block = arm});
}

TEST(PendingDecisions, KeepWhatALateCostNeeds) {
  PendingDecisions pending(10);
  add(pending, 1, 3);
  const PendingDecision* found = pending.find(1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->features, kRow);  // a copy: the round's memory may be gone
  EXPECT_EQ(found->block, 3u);
  EXPECT_EQ(found->centre, 1.0);
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

// A backlog that grows, clears, and grows again must not mix up who is who.
TEST(PendingDecisions, SurviveABacklogThatClears) {
  PendingDecisions pending(100'000);
  std::uint64_t sequence = 0;
  for (const std::uint64_t backlog : {1u, 5000u, 3u, 20'000u, 40u}) {
    const std::uint64_t first = sequence + 1;
    for (std::uint64_t i = 0; i < backlog; ++i) add(pending, ++sequence, 2);
    for (std::uint64_t s = sequence; s >= first; --s) {
      ASSERT_NE(pending.find(s), nullptr);
      EXPECT_EQ(pending.find(s)->sequence, s);
      EXPECT_EQ(pending.find(s)->features, kRow);
      pending.remove(s);
    }
    EXPECT_EQ(pending.size(), 0u);
  }
}

// What PendingDecisions promise, kept the plain way.
struct Model {
  std::size_t limit;
  std::map<std::uint64_t, ArmIndex> waiting = {};
  std::deque<std::uint64_t> given_up = {};
  std::uint64_t given_up_count = 0;

  void add(std::uint64_t sequence, ArmIndex arm) {
    if (waiting.size() == limit) {
      given_up.push_back(waiting.begin()->first);
      ++given_up_count;
      if (given_up.size() > limit) given_up.pop_front();
      waiting.erase(waiting.begin());
    }
    waiting[sequence] = arm;
  }
  // Mostly the newest, as with feedback at once; often any other.
  std::uint64_t draw_waiting(RandomStream& stream) const {
    if (stream.below(2) == 0) return waiting.rbegin()->first;
    auto drawn = waiting.begin();
    std::advance(drawn, static_cast<std::ptrdiff_t>(stream.below(waiting.size())));
    return drawn->first;
  }
};

void expect_same(const PendingDecisions& pending, const Model& model, std::uint64_t newest) {
  ASSERT_EQ(pending.size(), model.waiting.size());
  EXPECT_EQ(pending.given_up_count(), model.given_up_count);
  for (std::uint64_t s = 0; s <= newest + 1; ++s) {
    const auto expected = model.waiting.find(s);
    const PendingDecision* found = pending.find(s);
    ASSERT_EQ(found != nullptr, expected != model.waiting.end()) << s;
    if (found != nullptr) {
      EXPECT_EQ(found->arm, expected->second);
    }
    const bool given_up = std::ranges::find(model.given_up, s) != model.given_up.end();
    EXPECT_EQ(pending.was_given_up(s), given_up) << s;
  }
  auto expected = model.waiting.begin();
  for (const PendingDecision* decision : pending.oldest_first()) {
    EXPECT_EQ(decision->sequence, (expected++)->first);
  }
}

TEST(PendingDecisions, AgreeWithAModelThatKeepsThemInAMap) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 1);
    const std::size_t limit = 1 + stream.below(80);
    PendingDecisions pending(limit);
    Model model{.limit = limit};
    std::uint64_t sequence = 0;
    const double chance = stream.uniform();  // of an answer
    for (int step = 0; step < 400; ++step) {
      if (!model.waiting.empty() && stream.uniform() < chance) {
        const std::uint64_t answered = model.draw_waiting(stream);
        pending.remove(answered);
        model.waiting.erase(answered);
      } else {
        sequence += stream.below(10) == 0 ? 3u : 1u;  // gaps come of loading only, and may be any
        const auto arm = static_cast<ArmIndex>(stream.below(9));
        add(pending, sequence, arm);
        model.add(sequence, arm);
      }
      if (step % 16 == 0) expect_same(pending, model, sequence);
    }
    ByteWriter out;
    pending.save(out);
    PendingDecisions loaded(limit);
    ByteReader in(out.bytes());
    ASSERT_TRUE(loaded.load(in).ok());
    expect_same(loaded, model, sequence);
  }
}

// A list takes the row's place, and cells are used again for either.
TEST(PendingDecisions, KeepAListInPlaceOfTheRow) {
  std::vector<double> row(50);
  row[7] = 0.5;
  row[49] = -1.0;
  SparseRow list;
  list.list(row);
  PendingDecisions pending(10);
  for (std::uint64_t s = 1; s <= 4; ++s) {
    Decision decision;
    decision.sequence = s;
    const bool has_list = s % 2 == 1;
    pending.add(decision, true, {.features = row, .listed = has_list ? &list : nullptr});
    const PendingDecision& found = *pending.find(s);
    EXPECT_EQ(found.feature_count(), 50u);
    EXPECT_EQ(found.features.empty(), has_list);
    EXPECT_EQ(found.listed.view().count, has_list ? 2u : 0u);
    ByteWriter out;
    pending.save(out);
    PendingDecisions loaded(10);
    ByteReader in(out.bytes());
    ASSERT_TRUE(loaded.load(in).ok());
    EXPECT_EQ(loaded.find(s)->features, row);
    EXPECT_EQ(loaded.find(s)->feature_count(), 50u);
    pending.remove(s);
  }
}

// As when another round was planned in the workspace before the decision was applied.
TEST(PendingDecisions, KeepTheRowIfTheListIsAnotherRows) {
  const std::vector<double> row(50, 0.5);
  const std::vector<double> other(50, 0.0);
  SparseRow list;
  list.list(other);
  PendingDecisions pending(10);
  Decision decision;
  decision.sequence = 1;
  pending.add(decision, true, {.features = row, .listed = &list});
  EXPECT_EQ(pending.find(1)->features, row);
  EXPECT_EQ(pending.find(1)->listed.row_size(), 0u);
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
