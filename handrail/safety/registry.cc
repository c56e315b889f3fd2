#include "handrail/safety/registry.h"

#include <algorithm>
#include <array>

#include "handrail/safety/armwise_gate.h"
#include "handrail/safety/budget_gate.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/checkpoint_gate.h"
#include "handrail/safety/contrast_gate.h"
#include "handrail/safety/ellipsoid_gate.h"
#include "handrail/safety/estimated_baseline_gate.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/paper_gate.h"
#include "handrail/safety/safeset_gate.h"
#include "handrail/safety/stagewise_gate.h"
#include "handrail/safety/stationary_gate.h"
#include "handrail/safety/trivial_gates.h"

namespace handrail {
namespace {

constexpr std::array kGates = {
    &kOpenGate,        //
    &kShutGate,        //
    &kCertifiedGate,   //
    &kPaperGate,       //
    &kModelGate,       //
    &kEllipsoidGate,   //
    &kContrastGate,    //
    &kSafeSetGate,     //
    &kCheckpointGate,  //
    &kStagewiseGate,   //
    &kIpsGate,         //
    &kDrGate,          //
    &kStationaryGate,  //
    &kArmwiseGate,     //
    &kBudgetGate,      //
};

constexpr Trait<GateTraits> kTraits[] = {
    {"is_control", &GateTraits::is_control},
    {"never_admits", &GateTraits::never_admits},
    {"reads_candidate", &GateTraits::reads_candidate},
    {"selects", &GateTraits::selects},
    {"reads_costs", &GateTraits::reads_costs},
    {"reads_features", &GateTraits::reads_features},
    {"uses_regret_bound", &GateTraits::uses_regret_bound},
    {"own_allowance", &GateTraits::own_allowance},
    {"certifies", &GateTraits::certifies},
    {"needs_baseline_cost", &GateTraits::needs_baseline_cost},
    {"has_matrices", &GateTraits::has_matrices},
    {"needs_fixed_arms", &GateTraits::needs_fixed_arms},
    {"chooses_members", &GateTraits::chooses_members},
    {"spares_baseline_arm", &GateTraits::spares_baseline_arm},
};

}  // namespace

std::span<const GateEntry* const> gates() {
  return kGates;
}

const GateEntry* find_gate(std::string_view name) {
  const auto found = std::ranges::find(kGates, name, &GateEntry::name);
  return found == kGates.end() ? nullptr : *found;
}

std::span<const Trait<GateTraits>> gate_traits() {
  return kTraits;
}

}  // namespace handrail
