// Many seeded runs of one gate in the tabular world, over its running-mean oracle.
#pragma once

#include <cstdint>
#include <string>

#include "tests/statistics/tabular_world.h"
#include "tests/statistics/tally.h"

namespace handrail {

const char* name_of(Trouble trouble);

struct TabularRuns {
  Trouble trouble = Trouble::kNone;
  const char* delay = "none";
  const char* gate_name = "certified";
  std::string gate = "gate=certified";  // as a SPEC says it
  std::uint64_t rounds = 3000;
};

// 400 runs of gap weighting with γ = 5√(m+1), seeds 1, 2, …; prints a row.
Tally run_all(const TabularRuns& what);

}  // namespace handrail
