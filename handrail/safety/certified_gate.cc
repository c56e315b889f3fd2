#include "handrail/safety/certified_gate.h"

namespace handrail {

bool is_member(Members members, const Decision& decision) {
  if (members == Members::kRisky) return decision.arm != decision.baseline.arm;
  return decision.choice == Choice::kExplore;
}

}  // namespace handrail
