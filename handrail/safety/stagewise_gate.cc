#include "handrail/safety/stagewise_gate.h"

#include <array>

namespace handrail {
constinit const GateEntry kStagewiseGate = {
    .name = "stagewise",
    .meaning = "for linear costs: every round by itself, a different promise",
    .traits = {.reads_candidate = true,
               .selects = true,
               .reads_features = true,
               .own_allowance = true,
               .has_matrices = true},
    .common = kEllipsoidRows,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<StagewiseGate>(frame.alpha, ellipsoid_in(frame), frame.layout);
    },
};

}  // namespace handrail
