// A question to a gate and its answer: the two sides of the inequality.
#pragma once

#include <optional>

#include "handrail/core/decision.h"
#include "handrail/core/support.h"

namespace handrail {

// An upper bound on what exploration has cost so far, this candidate included.
struct Exposure {
  double value = 0.0;
  double margin = 0.0;  // the confidence part of `value`
};

// Exposure and what it is held against. Most gates take the ledger's allowance as it is.
struct Sides {
  Exposure exposure;
  double allowance = 0.0;
};

// What a gate may read of the round in question.
struct GateQuestion {
  const ArmFeatures* features = nullptr;  // null for a gate that does not read them
  Baseline baseline;
  ByArm costs;  // predicted; empty if the policy predicts nothing
  double regret_bound = 1.0;
  double allowance = 0.0;  // the ledger's
  // What Gate::sides_before() says of this round, if several candidates are asked for; none: it is
  // worked out for each.
  std::optional<Sides> before = std::nullopt;
};

}  // namespace handrail
