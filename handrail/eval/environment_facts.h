// What a reader of the results wants to know of the environments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/core/round.h"
#include "handrail/eval/comparison_plan.h"

namespace handrail {

struct EnvironmentFacts {
  std::string spec;
  std::size_t arms = 0;
  std::size_t features = 0;
  std::uint32_t fingerprint = 0;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;
  std::string baseline = {};
  std::string noise = {};
  // Of a data set; empty for worlds.
  std::optional<std::size_t> rows = std::nullopt;
  std::optional<std::uint64_t> passes = std::nullopt;
  std::optional<std::string> baseline_arm = std::nullopt;
  std::optional<double> baseline_share = std::nullopt;
  std::optional<double> baseline_cost = std::nullopt;
  std::vector<std::string> notes = {};
};

// Of the environment with this index, which is made for it.
Result<EnvironmentFacts> environment_facts(const ComparisonPlan& plan, std::size_t index,
                                           EnvironmentShelf& shelf);

}  // namespace handrail
