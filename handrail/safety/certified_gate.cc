#include "handrail/safety/certified_gate.h"

namespace handrail {

bool is_member(Members members, const Decision& decision) {
  if (members == Members::kRisky) return decision.arm != decision.baseline.arm;
  return decision.choice == Choice::kExplore;
}

Exposure certified_exposure(double cost_bound, double observed) {
  return {.value = cost_bound + kCostCap, .margin = cost_bound - observed};
}

}  // namespace handrail
