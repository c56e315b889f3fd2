// All that the rest of the program may know of an oracle, whichever it is. Every oracle has
// one entry, in its own source; oracle/registry.cc lists them all.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "handrail/config/parameter.h"
#include "handrail/oracle/oracle.h"
#include "handrail/oracle/part_frame.h"

namespace handrail {

struct OracleEntry {
  std::string_view name;
  std::string_view meaning;  // a line of `handrail agents`

  // The one loss that it minimises, if it has no choice; else what the parameter `loss` says.
  std::optional<Loss> only_loss = std::nullopt;
  // The step size that lr=auto stands for. Null: the oracle takes no steps, and lr stays auto.
  double (*step)(const ParameterValues& values) = nullptr;
  // The meaning of gamma_scale=auto with gamma=rounds, as measured in docs/.
  double gamma_scale = 10.0;
  bool promises_regret = false;  // Oracle::regret_bound() is a number from the first round on
  bool has_matrices = false;     // keeps a matrix of d × d numbers a block

  // Rows that the SPEC of every agent spells out, whatever its oracle: traces and saves hold them.
  // For rows that several parts share.
  std::span<const ParameterSpec* const> common = {};
  // Rows that the SPEC of an agent with this oracle spells out besides.
  std::span<const ParameterSpec> parameters = {};

  std::unique_ptr<Oracle> (*make)(const PartFrame& frame) = nullptr;
  // Refuses what only the frame can decide, with a sentence; null: nothing is refused.
  Status (*check)(const PartFrame& frame) = nullptr;
};

}  // namespace handrail
