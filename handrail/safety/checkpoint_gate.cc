#include "handrail/safety/checkpoint_gate.h"

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

}  // namespace handrail
