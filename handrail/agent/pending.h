// Decisions that wait for their cost. Bounded: past the limit the oldest is given up.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/core/decision.h"

namespace handrail {

// What a late cost needs of its decision.
struct PendingDecision {
  std::uint64_t sequence = 0;
  Choice choice = Choice::kBaseline;
  bool charged = false;
  ArmIndex arm = 0;
  double centre = 0.0;
  bool played_baseline = false;  // its arm, whatever the choice was
  double baseline_centre = 0.0;
  double baseline_chance = 1.0;
  std::size_t block = 0;
  // Of the played arm: as they are, or only as a list if the round had one. Both are empty if
  // nobody will learn from them.
  std::vector<double> features;
  SparseRow listed;

  std::size_t feature_count() const { return features.size() + listed.row_size(); }
};

// Adding, finding and removing take the same few steps however many wait, if costs come nearly in
// order; in any order, finding takes as many as a binary search. Memory is used again, so
// that nothing is allocated after warm-up; only what a long backlog took is given back once it has
// gone.
class PendingDecisions {
 public:
  explicit PendingDecisions(std::size_t limit) : limit_(limit) {}

  // Sequences come in rising order. `kept` is what a learner will see of the played arm; it is
  // copied. Gives up the oldest if the limit is reached.
  void add(const Decision& decision, bool charged, const ArmView& kept);
  // None if it does not wait. The pointer is good until the next change.
  const PendingDecision* find(std::uint64_t sequence) const {
    const Cell* found = waiting_cell(sequence);
    return found == nullptr ? nullptr : &found->decision;
  }
  void remove(std::uint64_t sequence);

  // For a sequence that is not pending: whether it was given up. Only as many given-up decisions as
  // the limit allows pending ones are remembered; of older ones only given_up_count() speaks.
  bool was_given_up(std::uint64_t sequence) const;
  bool is_older_than_memory(std::uint64_t sequence) const;

  std::size_t size() const { return waiting_count_; }
  std::size_t limit() const { return limit_; }
  std::uint64_t given_up_count() const { return given_up_count_; }
  std::vector<const PendingDecision*> oldest_first() const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  struct Cell {
    PendingDecision decision;
    bool waiting = false;
  };

  // The ring in order of age.
  Cell& cell(std::size_t age_rank) { return cells_[(first_ + age_rank) & (cells_.size() - 1)]; }
  const Cell& cell(std::size_t age_rank) const {
    return cells_[(first_ + age_rank) & (cells_.size() - 1)];
  }
  const Cell* waiting_cell(std::uint64_t sequence) const {
    if (cell_count_ == 0) return nullptr;
    const Cell& oldest = cell(0);  // waits, always
    return oldest.decision.sequence == sequence ? &oldest : later_cell(sequence);
  }
  const Cell* later_cell(std::uint64_t sequence) const;
  PendingDecision& append(std::uint64_t sequence);
  void release(Cell& cell);
  void pack();
  void grow();
  void make_room();
  void give_up_oldest();

  const std::size_t limit_;
  // A ring, since sequences only rise. Its first cell waits. Those behind it that were answered
  // keep their place and memory until all before them are answered, or until room is needed.
  std::vector<Cell> cells_;  // none, or a power of two
  std::size_t first_ = 0;
  std::size_t cell_count_ = 0;  // in use, answered ones included
  std::size_t waiting_count_ = 0;
  std::deque<std::uint64_t> given_up_;  // rising, the newest at the back
  std::uint64_t given_up_count_ = 0;
};

}  // namespace handrail
