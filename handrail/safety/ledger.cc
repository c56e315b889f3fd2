#include "handrail/safety/ledger.h"

namespace handrail {

void Ledger::save(ByteWriter& out) const {
  out.f64(sums_.charged);
  out.f64(sums_.others);
  out.u64(explored_);
  out.u64(baseline_played_);
  out.f64(explored_cost_sum_);
  charged_costs_.save(out);
}

Status Ledger::load(ByteReader& in) {
  sums_.charged = in.f64();
  sums_.others = in.f64();
  explored_ = in.u64();
  baseline_played_ = in.u64();
  explored_cost_sum_ = in.f64();
  charged_costs_.load(in);
  return in.status();
}

}  // namespace handrail
