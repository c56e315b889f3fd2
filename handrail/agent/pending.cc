#include "handrail/agent/pending.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {

void PendingDecisions::recycle(Map::iterator entry) {
  // A few nodes serve the usual coming and going; a backlog that cleared gives its memory back.
  constexpr std::size_t kSpareLimit = 64;
  Map::node_type node = decisions_.extract(entry);
  if (spare_.size() < kSpareLimit) spare_.push_back(std::move(node));
}

void PendingDecisions::give_up_oldest() {
  const auto oldest = decisions_.begin();
  given_up_.push_back(oldest->first);
  ++given_up_count_;
  if (given_up_.size() > limit_) given_up_.pop_front();
  recycle(oldest);
}

void PendingDecisions::add(std::uint64_t sequence, const PendingDecision& decision,
                           const ArmView& features) {
  HANDRAIL_ASSERT(decisions_.empty() || decisions_.rbegin()->first < sequence);
  if (decisions_.size() == limit_) give_up_oldest();
  Map::iterator entry;
  if (spare_.empty()) {
    entry = decisions_.emplace_hint(decisions_.end(), sequence, PendingDecision{});
  } else {
    Map::node_type node = std::move(spare_.back());
    spare_.pop_back();
    node.key() = sequence;
    entry = decisions_.insert(decisions_.end(), std::move(node));
  }
  PendingDecision& kept = entry->second;
  kept.choice = decision.choice;
  kept.charged = decision.charged;
  kept.arm = decision.arm;
  kept.centre = decision.centre;
  kept.features.assign(features.features.begin(), features.features.end());
  kept.block = features.block;
}

const PendingDecision* PendingDecisions::find(std::uint64_t sequence) const {
  const auto found = decisions_.find(sequence);
  return found == decisions_.end() ? nullptr : &found->second;
}

void PendingDecisions::remove(std::uint64_t sequence) {
  const auto found = decisions_.find(sequence);
  HANDRAIL_ASSERT(found != decisions_.end());
  recycle(found);
}

bool PendingDecisions::was_given_up(std::uint64_t sequence) const {
  return std::binary_search(given_up_.begin(), given_up_.end(), sequence);
}

bool PendingDecisions::is_older_than_memory(std::uint64_t sequence) const {
  return given_up_count_ > given_up_.size() && sequence < given_up_.front();
}

void PendingDecisions::save(ByteWriter& out) const {
  out.u64(decisions_.size());
  for (const auto& [sequence, decision] : decisions_) {
    out.u64(sequence);
    out.u8(static_cast<std::uint8_t>(decision.choice));
    out.u8(decision.charged ? 1 : 0);
    out.u32(decision.arm);
    out.f64(decision.centre);
    out.doubles(decision.features);
    out.u64(decision.block);
  }
  out.u64(given_up_count_);
  out.u64(given_up_.size());
  for (const std::uint64_t sequence : given_up_) out.u64(sequence);
}

Status PendingDecisions::load(ByteReader& in) {
  const std::uint64_t count = in.u64();
  if (count > limit_) in.fail("holds more pending decisions than its limit");
  for (std::uint64_t i = 0; i < count && in.status().ok(); ++i) {
    const std::uint64_t sequence = in.u64();
    PendingDecision decision;
    decision.choice = in.u8() == 0 ? Choice::kBaseline : Choice::kExplore;
    decision.charged = in.u8() != 0;
    decision.arm = in.u32();
    decision.centre = in.f64();
    decision.features = in.doubles();
    decision.block = in.u64();
    if (!decisions_.empty() && decisions_.rbegin()->first >= sequence) {
      in.fail("lists its pending decisions out of order");
    }
    if (!(decision.centre >= 0.0 && decision.centre <= 1.0)) in.fail("has a centre outside [0, 1]");
    decisions_.emplace_hint(decisions_.end(), sequence, std::move(decision));
  }
  given_up_count_ = in.u64();
  const std::uint64_t remembered = in.u64();
  if (remembered != std::min<std::uint64_t>(limit_, given_up_count_)) {
    in.fail("remembers another number of given-up decisions than it must");
  }
  for (std::uint64_t i = 0; i < remembered && in.status().ok(); ++i) {
    const std::uint64_t sequence = in.u64();
    if (!given_up_.empty() && given_up_.back() >= sequence) {
      in.fail("lists its given-up decisions out of order");
    }
    given_up_.push_back(sequence);
  }
  return in.status();
}

}  // namespace handrail
