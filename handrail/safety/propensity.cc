#include "handrail/safety/propensity.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {

double propensity_of(const Distribution& distribution, ArmIndex arm, ArmIndex baseline_arm,
                     std::span<const std::uint8_t> admitted) {
  HANDRAIL_ASSERT(admitted.size() == distribution.size());
  if (arm != baseline_arm) {
    HANDRAIL_ASSERT(admitted[arm] != 0);
    return distribution[arm];
  }
  // With everything refused the baseline is certain; a sum of all probabilities could miss 1.
  if (std::all_of(admitted.begin(), admitted.end(), [](std::uint8_t a) { return a == 0; })) {
    return 1.0;
  }
  double propensity = distribution[baseline_arm];
  for (std::size_t a = 0; a < admitted.size(); ++a) {
    if (a != baseline_arm && admitted[a] == 0) propensity += distribution[static_cast<ArmIndex>(a)];
  }
  return propensity;
}

}  // namespace handrail
