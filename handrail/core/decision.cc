#include "handrail/core/decision.h"

#include <cmath>
#include <string>

#include "handrail/base/text.h"

namespace handrail {

Status check_play(const LoggedPlay& play, const FeatureLayout& layout) {
  if (play.features.size() != layout.feature_count) {
    return Error{"it has " + std::to_string(play.features.size()) + " features; " +
                 std::to_string(layout.feature_count) + " were expected"};
  }
  for (std::size_t i = 0; i < play.features.size(); ++i) {
    if (std::isfinite(play.features[i])) continue;
    return Error{"feature " + std::to_string(i + 1) + " is " + to_text(play.features[i]) +
                 "; a finite number was expected"};
  }
  const bool fixed = layout.shape == FeatureShape::kBlock;
  if (fixed && play.arm >= layout.block_count) {
    return Error{"arm is " + std::to_string(play.arm) + "; arms count from 0 to " +
                 std::to_string(layout.block_count - 1)};
  }
  const double chance = play.propensity.value_or(1.0);
  if (!(chance > 0.0 && chance <= 1.0)) {
    return Error{"propensity is " + to_text(chance) + "; a number in (0, 1] was expected"};
  }
  return check_cost(play.cost, "cost");
}

}  // namespace handrail
