// Handrail: online learning that never does much worse than what you do today.
//
// This header and what it includes is the promised interface. Make an Agent from AgentSettings; for
// each round make a Round, plan() a Decision, apply() it, play its arm; when the cost is known,
// accept() the Feedback and apply() that. save() and load() carry the agent over restarts.
//
// The promise, with the default gate: with probability at least 1 − delta, at every round, the
// expected cost so far is at most (1 + alpha) times the baseline's, plus the reserve. It needs
// costs in [0, 1] and baseline costs that are the round's own, or below it. Where they are a mean
// over rounds (AgentSettings::baseline_known), the same holds with rounds that play the
// baseline counted at that mean. No model has to be right. docs/guarantees.md has the exact words.
#pragma once

#include "handrail/agent/agent.h"        // IWYU pragma: export
#include "handrail/base/result.h"        // IWYU pragma: export
#include "handrail/core/arm_features.h"  // IWYU pragma: export
#include "handrail/core/decision.h"      // IWYU pragma: export
#include "handrail/core/distribution.h"  // IWYU pragma: export
#include "handrail/core/round.h"         // IWYU pragma: export
