#include "handrail/safety/ledger.h"

namespace handrail {

void Ledger::book(const Decision& decision, bool charged) {
  (charged ? sums_.charged : sums_.others) += decision.baseline.cost;
  ++(decision.choice == Choice::kExplore ? explored_ : baseline_played_);
}

void Ledger::reveal(Choice choice, bool charged, double cost) {
  if (choice == Choice::kExplore) explored_cost_sum_ += cost;
  if (!charged) return;
  charged_cost_sum_ += cost;
  ++charged_revealed_;
}

void Ledger::save(ByteWriter& out) const {
  out.f64(sums_.charged);
  out.f64(sums_.others);
  out.u64(explored_);
  out.u64(baseline_played_);
  out.f64(explored_cost_sum_);
  out.f64(charged_cost_sum_);
  out.u64(charged_revealed_);
}

Status Ledger::load(ByteReader& in) {
  sums_.charged = in.f64();
  sums_.others = in.f64();
  explored_ = in.u64();
  baseline_played_ = in.u64();
  explored_cost_sum_ = in.f64();
  charged_cost_sum_ = in.f64();
  charged_revealed_ = in.u64();
  return in.status();
}

}  // namespace handrail
