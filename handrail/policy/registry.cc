#include "handrail/policy/registry.h"

#include <algorithm>
#include <array>

#include "handrail/policy/ee_net.h"
#include "handrail/policy/falcon.h"
#include "handrail/policy/glm_ucb.h"
#include "handrail/policy/greedy.h"
#include "handrail/policy/igw.h"
#include "handrail/policy/lints.h"
#include "handrail/policy/linucb.h"
#include "handrail/policy/neural.h"
#include "handrail/policy/neural_linear.h"
#include "handrail/policy/smooth_igw.h"
#include "handrail/policy/spanner_igw.h"
#include "handrail/policy/ucb.h"
#include "handrail/policy/uniform.h"

namespace handrail {
namespace {

constexpr std::array kPolicies = {
    &kIgwPolicy,            //
    &kUniformPolicy,        //
    &kGreedyPolicy,         //
    &kEpsilonGreedyPolicy,  //
    &kLinUcbPolicy,         //
    &kUcbPolicy,            //
    &kLinTsPolicy,          //
    &kGlmUcbPolicy,         //
    &kFalconPolicy,         //
    &kNeuralUcbPolicy,      //
    &kNeuralTsPolicy,       //
    &kNeuralLinearPolicy,   //
    &kEeNetPolicy,          //
    &kSmoothIgwPolicy,      //
    &kSpannerIgwPolicy,     //
};

constexpr Trait<PolicyEntry> kTraits[] = {
    {"names_agent", &PolicyEntry::names_agent},
    {"predicts", &PolicyEntry::predicts},
    {"uses_oracle", &PolicyEntry::uses_oracle},
    {"weighs_gaps", &PolicyEntry::weighs_gaps},
    {"own_gamma", &PolicyEntry::own_gamma},
    {"refits", &PolicyEntry::refits},
    {"has_matrices", &PolicyEntry::has_matrices},
    {"one_arm", &PolicyEntry::one_arm},
    {"ucb_regret", &PolicyEntry::ucb_regret},
    {"draws", &PolicyEntry::draws},
    {"sparse", &PolicyEntry::sparse},
};

}  // namespace

std::span<const PolicyEntry* const> policies() {
  return kPolicies;
}

const PolicyEntry* find_policy(std::string_view name) {
  const auto found = std::ranges::find(kPolicies, name, &PolicyEntry::name);
  return found == kPolicies.end() ? nullptr : *found;
}

std::span<const Trait<PolicyEntry>> policy_traits() {
  return kTraits;
}

}  // namespace handrail
