// What a workspace keeps: memory that plan() uses again, and what it made of its last round.
#pragma once

#include <cstdint>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/policy/policy.h"

namespace handrail {

struct Workspace::Memory {
  Proposal proposal;
  std::vector<std::uint8_t> admitted;  // one a place of the proposal's support
  std::vector<double> played_row;      // of arms that lie nowhere as they are
  std::vector<double> baseline_row;
  SparseRow list;           // of a long shared row that came without one
  std::vector<double> row;  // all numbers of a shared row that came as a list
  double regret_bound = 1.0;
  bool gate_uses_regret_bound = false;
};

}  // namespace handrail
