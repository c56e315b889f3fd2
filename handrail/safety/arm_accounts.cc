#include "handrail/safety/arm_accounts.h"

#include <utility>

#include "handrail/base/assert.h"
#include "handrail/safety/known_costs.h"

namespace handrail {
namespace {

// In a state that was loaded, which may be anything.
bool can_be(const ArmAccount& arm) {
  return arm.revealed <= arm.plays && arm.charged <= arm.plays &&
         arm.plays - arm.charged <= arm.baseline_rounds &&
         can_be_cost_sum(arm.cost_sum, arm.revealed);
}

}  // namespace

void ArmAccounts::book(const Decision& decision, bool charged) {
  HANDRAIL_ASSERT(decision.arm < arms_.size() && decision.baseline.arm < arms_.size());
  ++arms_[decision.arm].plays;
  if (charged) ++arms_[decision.arm].charged;
  ++arms_[decision.baseline.arm].baseline_rounds;
}

void ArmAccounts::reveal(ArmIndex arm, double cost) {
  HANDRAIL_ASSERT(arm < arms_.size() && arms_[arm].revealed < arms_[arm].plays);
  ++arms_[arm].revealed;
  arms_[arm].cost_sum += cost;
}

void ArmAccounts::save(ByteWriter& out) const {
  for (const ArmAccount& arm : arms_) {
    out.u64(arm.plays);
    out.u64(arm.revealed);
    out.f64(arm.cost_sum);
    out.u64(arm.charged);
    out.u64(arm.baseline_rounds);
  }
}

Status ArmAccounts::load(ByteReader& in) {
  std::vector<ArmAccount> loaded(arms_.size());
  for (ArmAccount& arm : loaded) {
    arm.plays = in.u64();
    arm.revealed = in.u64();
    arm.cost_sum = in.f64();
    arm.charged = in.u64();
    arm.baseline_rounds = in.u64();
    if (!can_be(arm)) in.fail("has an arm whose accounts do not add up");
  }
  if (!in.status().ok()) return in.status();
  arms_ = std::move(loaded);
  return {};
}

}  // namespace handrail
