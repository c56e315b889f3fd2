// All that the rest of the program may know of a world, whichever it is. Every world has one
// entry, in its own source; env/world_registry.cc lists them all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "handrail/config/parameter.h"
#include "handrail/config/parameter_values.h"
#include "handrail/env/environment.h"

namespace handrail {

// The rounds of a world, whose expected costs follow a formula. What is observed of them, with
// noise and delay, is the same for all worlds (env/world.h).
class WorldRounds {
 public:
  WorldRounds() = default;
  virtual ~WorldRounds() = default;
  WorldRounds(const WorldRounds&) = delete;
  WorldRounds& operator=(const WorldRounds&) = delete;

  virtual FeatureLayout layout() const = 0;
  virtual std::size_t arm_count() const = 0;
  // A pure function of the seed and t. Tells the baseline's expected cost.
  virtual void fill(std::uint64_t t, EnvironmentRound& out) const = 0;

  // As EnvironmentRound lists them; a world that lists none says them here.
  virtual double expected_cost(const EnvironmentRound& round, ArmIndex arm) const {
    return listed_cost(round, arm);
  }
  virtual double best_cost(const EnvironmentRound& round) const { return least_listed_cost(round); }
};

struct WorldEntry {
  std::string_view name;
  std::string_view meaning;  // a line of `handrail agents`

  // In the order in which a SPEC spells them out, kNoiseRow and kDelayRow (env/world_rows.h) among
  // them.
  std::span<const ParameterSpec* const> parameters = {};

  // Puts numbers in place of words that stand for one; null: there are none.
  void (*resolve)(ParameterValues& values) = nullptr;
  // Refuses what only all values together can decide, with a sentence; null: nothing is refused.
  Status (*check)(const ParameterValues& values) = nullptr;
  // From values that are resolved and checked.
  std::unique_ptr<WorldRounds> (*make)(const ParameterValues& values, std::uint64_t seed) = nullptr;
};

}  // namespace handrail
