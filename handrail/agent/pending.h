// Decisions that wait for their cost. Bounded: past the limit the oldest is given up.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/core/decision.h"

namespace handrail {

// What a late cost needs of its decision.
struct PendingDecision {
  Choice choice = Choice::kBaseline;
  bool charged = false;
  ArmIndex arm = 0;
  double centre = 0.0;
  std::vector<double> features;  // of the played arm; empty if nobody will learn from them
  std::size_t block = 0;
};

class PendingDecisions {
 public:
  explicit PendingDecisions(std::size_t limit) : limit_(limit) {}

  // Sequences come in rising order. Gives up the oldest if the limit is reached.
  void add(std::uint64_t sequence, const PendingDecision& decision, const ArmView& features);
  const PendingDecision* find(std::uint64_t sequence) const;
  void remove(std::uint64_t sequence);

  // For a sequence that is not pending: whether it was given up. Only as many given-up decisions as
  // the limit allows pending ones are remembered; of older ones only given_up_count() speaks.
  bool was_given_up(std::uint64_t sequence) const;
  bool is_older_than_memory(std::uint64_t sequence) const;

  std::size_t size() const { return decisions_.size(); }
  std::size_t limit() const { return limit_; }
  std::uint64_t given_up_count() const { return given_up_count_; }
  const std::map<std::uint64_t, PendingDecision>& decisions() const { return decisions_; }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using Map = std::map<std::uint64_t, PendingDecision>;

  void give_up_oldest();
  void recycle(Map::iterator entry);

  const std::size_t limit_;
  Map decisions_;
  std::vector<Map::node_type> spare_;   // so that a decision needs no allocation after warm-up
  std::deque<std::uint64_t> given_up_;  // rising, the newest at the back
  std::uint64_t given_up_count_ = 0;
};

}  // namespace handrail
