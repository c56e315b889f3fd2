#include "handrail/safety/propensity.h"

#include "handrail/base/assert.h"

namespace handrail {

double propensity_of(const Distribution& distribution, ArmIndex arm, ArmIndex baseline_arm,
                     std::span<const std::uint8_t> admitted) {
  HANDRAIL_ASSERT(admitted.size() == distribution.size());
  if (arm != baseline_arm) {
    HANDRAIL_ASSERT(admitted[arm] != 0);
    return distribution[arm];
  }
  double here = distribution[baseline_arm];
  double elsewhere = 0.0;
  for (ArmIndex a = 0; a < admitted.size(); ++a) {
    if (a != baseline_arm) (admitted[a] == 0 ? here : elsewhere) += distribution[a];
  }
  // The larger of the two is what the smaller leaves: a sum of nearly all probabilities could pass
  // 1, and with everything refused the baseline is certain.
  return here <= elsewhere ? here : 1.0 - elsewhere;
}

}  // namespace handrail
