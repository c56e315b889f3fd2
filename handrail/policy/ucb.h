// UCB for K arms without context, in the form for costs (Wu et al. 2016): plays the arm whose cost
// could be the least, max(0, mean − D), ties to the lowest index. It reads no features: what an arm
// costs must be the same in every round.
#pragma once

#include <memory>

#include "handrail/explore/arm_width.h"
#include "handrail/policy/entry.h"

namespace handrail {

// Its predicted costs are the means of the costs that it has learned; ½ for an arm without any,
// which is as far from the truth as it must be and no further. It learns from every observation
// that it is given.
std::unique_ptr<Policy> make_ucb(const ArmWidthConfig& config);

extern const PolicyEntry kUcbPolicy;

}  // namespace handrail
