#include "handrail/safety/checkpoint_gate.h"

#include <array>

namespace handrail {

std::uint64_t CheckpointGate::rounds_to_come() const {
  return config_.every - 1 - rounds_ % config_.every;
}

Sides CheckpointGate::sides(const GateQuestion& question, ArmIndex candidate,
                            Scratch& scratch) const {
  const double future_cost = config_.future_cost.value_or(question.baseline.cost);
  Sides sides = certified_.sides(question, candidate, scratch);
  sides.allowance += config_.alpha * (future_cost * static_cast<double>(rounds_to_come()));
  return sides;
}

void CheckpointGate::book(const Decision& decision, bool charged) {
  certified_.book(decision, charged);
  ++rounds_;
}

void CheckpointGate::save(ByteWriter& out) const {
  certified_.save(out);
  out.u64(rounds_);
}

Status CheckpointGate::load(ByteReader& in) {
  CheckpointGate loaded = *this;
  const Status certified = loaded.certified_.load(in);
  if (!certified.ok()) return certified;
  loaded.rounds_ = in.u64();
  if (!in.status().ok()) return in.status();
  *this = loaded;
  return {};
}

namespace {

constexpr ParameterSpec kEveryRow = grouped(
    "gate", count_row("checkpoint_every",
                      "checkpoint: rounds from a checkpoint to the next; the constraint is held "
                      "there only",
                      "100", {.low = 1.0, .high = 1e9}));
constexpr ParameterSpec kFutureRow = grouped(
    "gate", or_words(number_row("future_cost",
                                "checkpoint: what the baseline will cost in any round to come, at "
                                "least; auto: as in this round, where its cost is known as a mean "
                                "or a floor",
                                "auto", {.low = 0.0, .high = 1.0}),
                     kAutoWord));
constexpr std::array kCommon = {&kMembersRow, &kBoundRow, &kEveryRow, &kFutureRow};

// The baseline's cost in this round says nothing of the rounds to come if it differs by round.
Status check_future(const PartFrame& frame) {
  if (frame.values.optional_number(kFutureRow).has_value()) return {};
  if (frame.baseline_known != BaselineKnown::kPerRound) return {};
  return Error{
      "gate=checkpoint spends what the baseline will earn until the next checkpoint, and its cost "
      "is known only round by round: give future_cost=NUMBER, a number in [0, 1] that it costs at "
      "least in any round to come; future_cost=auto is for a cost known as a mean or a floor"};
}

}  // namespace

constinit const GateEntry kCheckpointGate = {
    .name = "checkpoint",
    .meaning = "as certified, held at checkpoints only",
    .traits = {.own_allowance = true, .certifies = true, .chooses_members = true},
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<CheckpointGate>(
          CheckpointConfig{.alpha = frame.alpha,
                           .every = frame.values.count(kEveryRow),
                           .future_cost = frame.values.optional_number(kFutureRow)},
          certified_gate_in(frame));
    },
    .check = check_future,
};

}  // namespace handrail
