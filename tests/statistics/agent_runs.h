// Many seeded runs of one agent in one built-in world.
#pragma once

#include <cstdint>
#include <string>

#include "handrail/eval/run.h"
#include "tests/statistics/tally.h"

namespace handrail {

struct AgentRuns {
  std::string agent;
  std::string world;
  std::string delay = "none";
  std::uint64_t rounds = 3000;
  int runs = 400;
};

// Seed s for the world and for the agent; α and δ are kAlpha and kDelta. Asserts that the specs are
// good.
Run start(const AgentRuns& what, std::uint64_t seed);

// Runs seeds 1, 2, … to their end, and prints a row.
Tally run_all(const AgentRuns& what);

}  // namespace handrail
