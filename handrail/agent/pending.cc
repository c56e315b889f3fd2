#include "handrail/agent/pending.h"

#include <algorithm>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {

const PendingDecisions::Cell* PendingDecisions::later_cell(std::uint64_t sequence) const {
  const std::size_t last = cell_count_ - 1;
  const std::uint64_t oldest = cell(0).decision.sequence;
  const std::uint64_t newest = cell(last).decision.sequence;
  if (sequence < oldest || sequence > newest) return nullptr;
  // Sequences rise by at least 1 from cell to cell, which bounds the place from both ends. Without
  // gaps the two bounds meet at once.
  std::size_t low = last - std::min<std::uint64_t>(last, newest - sequence);
  std::size_t high = std::min<std::uint64_t>(last, sequence - oldest);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (cell(middle).decision.sequence < sequence) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const Cell& found = cell(low);
  return found.waiting && found.decision.sequence == sequence ? &found : nullptr;
}

// Brings the waiting cells together. The others go behind them: their memory is used again.
void PendingDecisions::pack() {
  std::size_t front = 0;
  for (std::size_t rank = 0; rank < cell_count_; ++rank) {
    if (!cell(rank).waiting) continue;
    if (front != rank) std::swap(cell(front), cell(rank));
    ++front;
  }
  cell_count_ = front;
}

void PendingDecisions::grow() {
  constexpr std::size_t kLeastCells = 16;
  std::vector<Cell> larger(std::max(kLeastCells, 2 * cells_.size()));
  for (std::size_t rank = 0; rank < cell_count_; ++rank) larger[rank] = std::move(cell(rank));
  cells_ = std::move(larger);
  first_ = 0;
}

void PendingDecisions::make_room() {
  if (waiting_count_ < cell_count_) pack();
  // Packing has to pay for itself: it goes over all cells, so half of them must be free until it
  // comes again.
  if (cell_count_ >= cells_.size() / 2) grow();
}

PendingDecision& PendingDecisions::append(std::uint64_t sequence) {
  HANDRAIL_ASSERT(cell_count_ == 0 || cell(cell_count_ - 1).decision.sequence < sequence);
  if (cell_count_ == cells_.size()) make_room();
  Cell& added = cell(cell_count_);
  ++cell_count_;
  ++waiting_count_;
  added.waiting = true;
  added.decision.sequence = sequence;
  return added.decision;
}

void PendingDecisions::release(Cell& released) {
  // A ring of this size serves the usual coming and going; a backlog that cleared gives its memory
  // back.
  constexpr std::size_t kCellsKept = 1024;
  released.waiting = false;
  --waiting_count_;
  while (cell_count_ > 0 && !cell(0).waiting) {
    first_ = (first_ + 1) & (cells_.size() - 1);
    --cell_count_;
  }
  if (cell_count_ > 0) return;
  first_ = 0;  // so that a decision at a time meets the same memory again and again
  if (cells_.size() > kCellsKept) cells_ = std::vector<Cell>(kCellsKept);
}

void PendingDecisions::give_up_oldest() {
  given_up_.push_back(cell(0).decision.sequence);
  ++given_up_count_;
  if (given_up_.size() > limit_) given_up_.pop_front();
  release(cell(0));
}

void PendingDecisions::add(const Decision& decision, bool charged, const ArmView& kept) {
  if (waiting_count_ == limit_) give_up_oldest();
  PendingDecision& pending = append(decision.sequence);
  pending.choice = decision.choice;
  pending.charged = charged;
  pending.arm = decision.arm;
  pending.centre = decision.centre;
  pending.played_baseline = decision.arm == decision.baseline.arm;
  pending.baseline_centre = decision.baseline_centre;
  pending.baseline_chance = decision.baseline_chance;
  pending.block = kept.block;
  // A list beside a row lies in the workspace: if another round was planned there since, it is that
  // one's.
  const bool has_list = kept.listed != nullptr &&
                        (kept.features.empty() || kept.listed->row() == kept.features.data());
  if (!has_list) {
    pending.features.assign(kept.features.begin(), kept.features.end());
    pending.listed.clear();
  } else {
    pending.features.clear();
    pending.listed.copy(*kept.listed);
  }
}

void PendingDecisions::remove(std::uint64_t sequence) {
  const Cell* found = waiting_cell(sequence);
  HANDRAIL_ASSERT(found != nullptr);
  release(cells_[static_cast<std::size_t>(found - cells_.data())]);
}

bool PendingDecisions::was_given_up(std::uint64_t sequence) const {
  return std::binary_search(given_up_.begin(), given_up_.end(), sequence);
}

bool PendingDecisions::is_older_than_memory(std::uint64_t sequence) const {
  return given_up_count_ > given_up_.size() && sequence < given_up_.front();
}

std::vector<const PendingDecision*> PendingDecisions::oldest_first() const {
  std::vector<const PendingDecision*> waiting;
  for (std::size_t rank = 0; rank < cell_count_; ++rank) {
    if (cell(rank).waiting) waiting.push_back(&cell(rank).decision);
  }
  return waiting;
}

// Files hold all numbers of a row. One that was read is pending as it is, without a list.
void PendingDecisions::save(ByteWriter& out) const {
  out.u64(waiting_count_);
  std::vector<double> row;
  for (const PendingDecision* decision : oldest_first()) {
    out.u64(decision->sequence);
    out.u8(static_cast<std::uint8_t>(decision->choice));
    out.u8(decision->charged ? 1 : 0);
    out.u32(decision->arm);
    out.f64(decision->centre);
    out.u8(decision->played_baseline ? 1 : 0);
    out.f64(decision->baseline_centre);
    out.f64(decision->baseline_chance);
    const SparseRow& listed = decision->listed;
    if (listed.row_size() > 0) {
      row.resize(listed.row_size());
      listed.write_row(row);
      out.doubles(row);
    } else {
      out.doubles(decision->features);
    }
    out.u64(decision->block);
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
    if (cell_count_ > 0 && cell(cell_count_ - 1).decision.sequence >= sequence) {
      in.fail("lists its pending decisions out of order");
      break;
    }
    PendingDecision& decision = append(sequence);
    decision.choice = in.u8() == 0 ? Choice::kBaseline : Choice::kExplore;
    decision.charged = in.u8() != 0;
    decision.arm = in.u32();
    decision.centre = in.f64();
    decision.played_baseline = in.u8() != 0;
    decision.baseline_centre = in.f64();
    decision.baseline_chance = in.f64();
    decision.features = in.doubles();
    decision.block = in.u64();
    if (!is_cost(decision.centre) || !is_cost(decision.baseline_centre)) {
      in.fail("has a centre outside [0, 1]");
    }
    if (!is_cost(decision.baseline_chance) ||
        (decision.played_baseline && decision.baseline_chance == 0.0)) {
      in.fail("has a chance that cannot be");
    }
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
