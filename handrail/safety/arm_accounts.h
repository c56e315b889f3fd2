// What a gate keeps of every arm, for arms that cost the same in every round: plays, and what is
// known of their costs. Whatever delays feedback, and however the delay depends on the cost, the
// bounds hold: they count all plays, with the costs that are not known yet as the worst that they
// can be. Bounds over the revealed costs alone would not: good news may come first.
#pragma once

#include <cstdint>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/explore/arm_width.h"
#include "handrail/safety/exposure.h"

namespace handrail {

struct ArmAccount {
  std::uint64_t plays = 0;
  std::uint64_t revealed = 0;         // of those, with known costs
  double cost_sum = 0.0;              // of those
  std::uint64_t charged = 0;          // plays while another arm was the baseline's
  std::uint64_t baseline_rounds = 0;  // rounds in which this was the baseline's arm

  // Costs that are not known count 1 above and 0 below.
  ArmPlays dearest() const {
    return {.count = plays, .cost_sum = cost_sum + static_cast<double>(plays - revealed)};
  }
  ArmPlays cheapest() const { return {.count = plays, .cost_sum = cost_sum}; }
};

class ArmAccounts {
 public:
  explicit ArmAccounts(const ArmWidthConfig& width) : width_(width), arms_(width.arm_count) {}

  const std::vector<ArmAccount>& arms() const { return arms_; }
  // Bounds on what the arm costs, wherever the widths hold.
  double upper(ArmIndex arm) const { return upper_cost(width_, arms_[arm].dearest()); }
  double lower(ArmIndex arm) const { return lower_cost(width_, arms_[arm].cheapest()); }
  // The centre of upper(): 0 for an arm that was never played.
  double mean(ArmIndex arm) const {
    const ArmPlays plays = arms_[arm].dearest();
    return plays.count == 0 ? 0.0 : plays.cost_sum / static_cast<double>(plays.count);
  }

  void book(const Decision& decision, bool charged);
  void reveal(ArmIndex arm, double cost);

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  ArmWidthConfig width_;
  std::vector<ArmAccount> arms_;
};

}  // namespace handrail
