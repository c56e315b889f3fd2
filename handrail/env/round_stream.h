// The luck of one arm in one round. It depends on nothing else, so that what arm 3 shows and costs
// in round 7 is the same whichever arms were played before and however many there are.
#pragma once

#include <cstdint>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// Round and arm share the 64 bits of a stream's sequence: 40 for the round, 24 for the arm.
inline constexpr std::uint64_t kRoundLimit = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kArmLimit = std::uint64_t{1} << 24;

inline RandomStream round_stream(std::uint64_t seed, Purpose purpose, std::uint64_t t,
                                 ArmIndex arm) {
  HANDRAIL_ASSERT(t < kRoundLimit && arm < kArmLimit);
  return RandomStream(seed, purpose, t * kArmLimit + arm);
}

}  // namespace handrail
